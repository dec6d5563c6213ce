'use client';

import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './modal.module.scss';

type ModalProps = { title: string; onClose: () => void; children: ReactNode; actions: ReactNode };

/** A modal question or message on the browser's own `dialog`: focus inside, Escape closes, the page behind is inert. */
export function Modal({ title, onClose, children, actions }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.modal}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      <div className={styles.body}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </dialog>
  );
}

'use client';

// The dialog alone: the package's root brings its ready-made questions and notices along, which nothing here asks.
import Modal from 'antd/es/modal/Modal';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSubmit } from '@/components/actions/use-submit';
import { Notice } from '@/components/ui/notice';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';
import { ActionButton } from './action-button';
import { keepFocusIn } from './keep-focus';
import styles from './kit.module.scss';

type DialogProps = { title: string; onClose: () => void; children: ReactNode; actions: ReactNode };

/** Keeps the focus inside at the ends of a dialog: antd takes it back once another part of the page has it, not before. */
function stayInside(event: KeyboardEvent, dialog: Element | null | undefined): void {
  if (event.key !== 'Tab' || !dialog) return;
  const controls = [...dialog.querySelectorAll<HTMLElement>('a[href], button, input')];
  const [first, last] = [controls[0], controls.at(-1)];
  if (document.activeElement !== (event.shiftKey ? first : last)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

/** A modal question or message: focus inside, Escape closes, and afterwards the focus is where it was. */
function Dialog({ title, onClose, children, actions }: DialogProps) {
  // Read while drawing: the button that gets the focus takes it before the effects of this component run.
  const [opener] = useState(() => document.activeElement);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What the dialog does may take its opener away, but not what it stood in.
    const place = opener?.parentElement;
    const onKeyDown = (event: KeyboardEvent) => stayInside(event, body.current?.closest('[role="dialog"]'));
    document.addEventListener('keydown', onKeyDown);
    // The page behind is kept from scrolling by a class: antd's own lock would write a `<style>`.
    document.documentElement.classList.add('no-scroll');
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.documentElement.classList.remove('no-scroll');
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else keepFocusIn(place);
    };
  }, [opener]);
  return (
    <Modal
      open
      centered
      closable={false}
      mask={{ closable: false, blur: false }}
      scrollLock={false}
      focusable={{ focusTriggerAfterClose: false }}
      width="min(28rem, calc(100vw - 2 * var(--gutter)))"
      className={styles.dialog}
      title={<h2>{title}</h2>}
      footer={<div className={styles.dialogActions}>{actions}</div>}
      onCancel={onClose}
    >
      <div ref={body} className={styles.dialogBody}>
        {children}
      </div>
    </Modal>
  );
}

/** Says something that was done; whichever way it is closed, the screen goes on. */
export function MessageDialog({ title, onClose, children }: Omit<DialogProps, 'actions'>) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <ActionButton autoFocus onClick={onClose}>
          OK
        </ActionButton>
      }
    >
      {children}
    </Dialog>
  );
}

type ConfirmDialogProps<T> = Omit<DialogProps, 'actions'> & {
  /** Names what is done; while it is missing there is nothing to confirm yet. */
  confirm: string | undefined;
  /** Does it; null when something has to be entered first. */
  send: () => Promise<Result<T, ApiError> | null>;
  onDone: (value: T) => void;
};

/** Asks before something is done that can't be taken back: Later comes first and has the focus. */
export function ConfirmDialog<T>({ confirm, send, onDone, children, ...rest }: ConfirmDialogProps<T>) {
  const { busy, error, submit } = useSubmit(send, onDone);
  return (
    <Dialog
      {...rest}
      actions={
        <>
          <ActionButton tone="line" autoFocus onClick={rest.onClose}>
            Later
          </ActionButton>
          {confirm ? (
            <ActionButton tone="danger" busy={busy} onClick={() => void submit()}>
              {confirm}
            </ActionButton>
          ) : null}
        </>
      }
    >
      {children}
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
    </Dialog>
  );
}

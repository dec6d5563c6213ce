'use client';

import { useEffect, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { afterPaint } from '@/lib/utils/after-paint';
import { dismissToast, type Toast, toastLifeMs, useToasts } from '@/store/toasts';
import styles from './toaster.module.scss';

/** One message: gone when it can have been read, not while the pointer or the focus rests on it. */
function ToastRow({ toast }: { toast: Toast }) {
  const stop = useRef<() => void>(undefined);
  const rest = () => stop.current?.();
  const run = () => {
    rest();
    const life = toastLifeMs(toast);
    if (life !== null) stop.current = afterPaint(() => dismissToast(toast.id), life);
  };
  // Said again it is another toast under the same id, and has its time anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: both functions follow from it
  useEffect(() => {
    run();
    return rest;
  }, [toast]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pausing is a courtesy to pointer and focus, not a control.
    <div
      className={styles.toast}
      data-tone={toast.tone}
      onPointerEnter={rest}
      onPointerLeave={run}
      onFocus={rest}
      onBlur={run}
    >
      <Icon name={toast.tone === 'error' ? 'triangle-alert' : 'circle-check'} />
      <p>{toast.text}</p>
      {toast.action ? (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismissToast(toast.id);
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </button>
      ) : null}
      <button type="button" className={styles.close} aria-label="Close" onClick={() => dismissToast(toast.id)}>
        <Icon name="x" />
      </button>
    </div>
  );
}

/** The toasts at the top of the screen: two live regions that are there from the start, so that nothing is missed. */
export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <div className={styles.stack}>
      <div role="status">
        {toasts
          .filter(({ tone }) => tone === 'status')
          .map((toast) => (
            <ToastRow key={toast.id} toast={toast} />
          ))}
      </div>
      <div role="alert">
        {toasts
          .filter(({ tone }) => tone === 'error')
          .map((toast) => (
            <ToastRow key={toast.id} toast={toast} />
          ))}
      </div>
    </div>
  );
}

'use client';

import { type FormEvent, useCallback, useState } from 'react';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';

/**
 * A form's way to the server: one call at a time, busy while it runs, and the reason in words when it fails. What was
 * typed stays where it is. `forget` takes the reason away, as where the form is found wrong before it is sent again.
 */
export function useSubmit<T>(send: () => Promise<Result<T, ApiError> | null>, onDone: (value: T) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const submit = useCallback(
    async (event?: FormEvent) => {
      event?.preventDefault();
      if (busy) return;
      setBusy(true);
      setError('');
      try {
        const result = await send();
        if (result === null) return;
        if (result.ok) onDone(result.value);
        else if (result.error.kind !== 'session') setError(result.error.msg);
      } catch {
        setError('This part of the page didn’t load. Check your connection and try again.');
      } finally {
        setBusy(false);
      }
    },
    [busy, send, onDone],
  );
  const forget = useCallback(() => setError(''), []);
  return { busy, error, submit, forget };
}

/** Moves the focus to the first field of a form that has an error, once it is on the screen. */
export function focusFirstError(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

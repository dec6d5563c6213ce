'use client';

import { useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { useAppState } from '@/store/app-state';
import styles from './sign-in-question.module.scss';

/** Asks before a sign-in by address takes effect, and names both accounts; Escape says no. */
export function SignInQuestion() {
  const question = useAppState((state) => state.question);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  if (!question) return null;
  const { current, next, answer } = question;
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="sign-in-question"
      onCancel={(event) => {
        event.preventDefault();
        answer(false);
      }}
    >
      <h2 id="sign-in-question">Sign in as {next}?</h2>
      <p>
        {current
          ? `The link you followed signs in ${next}. You are signed in as ${current} here, and would be signed out.`
          : `This sign-in was not begun in this window. Go on only if ${next} is your account.`}
      </p>
      <div className={styles.actions}>
        <Button variant="line" autoFocus onClick={() => answer(false)}>
          {current ? 'Stay signed in' : 'Don’t sign in'}
        </Button>
        <Button onClick={() => answer(true)}>{current ? 'Switch account' : 'Sign in'}</Button>
      </div>
    </dialog>
  );
}

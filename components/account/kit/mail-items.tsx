'use client';

import { emailError } from '@/lib/utils/email-error';
import { TextItem } from './fields';

type EmailItemProps = { autoComplete?: string; hint?: string; autoFocus?: boolean };

/** An e-mail address, as the name of an account unless told otherwise. */
export function EmailItem({ autoComplete = 'username', hint, autoFocus = false }: EmailItemProps) {
  return (
    <TextItem
      name="email"
      label="E-mail address"
      type="email"
      autoComplete={autoComplete}
      hint={hint}
      autoFocus={autoFocus}
      check={emailError}
    />
  );
}

/** A code as it was typed, without the spaces that people put between its digits. */
export function codeDigits(code: string): string {
  return code.replace(/\s/g, '');
}

/** The six digits of a mail. */
export function CodeItem() {
  return (
    <TextItem
      name="code"
      label="Code from the mail"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      check={(code) => (/^\d{6}$/.test(codeDigits(code)) ? undefined : 'Please enter the six digits from the mail.')}
    />
  );
}

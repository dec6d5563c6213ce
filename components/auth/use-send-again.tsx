'use client';

import { type ReactNode, useState } from 'react';
import { ActionButton } from '@/components/account/kit/action-button';
import { useSubmit } from '@/components/actions/use-submit';
import { Notice } from '@/components/ui/notice';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';
import styles from './auth.module.scss';

type SendAgain = {
  /** True once the mail was asked for again; false again while another is asked for, so that each one is announced. */
  isSentAgain: boolean;
  /** Stands below the form: why it was not sent, and the two ways on for somebody to whom no mail came. */
  foot: ReactNode;
};

/** For somebody who waits for a code: the mail once more, or another address. What can't be sent from here is begun anew, as another address is. */
export function useSendAgain<T>(
  send: (() => Promise<Result<T, ApiError>>) | null,
  onChangeAddress: () => void,
  onSent?: (value: T) => void,
): SendAgain {
  const [isSent, setSent] = useState(false);
  const { busy, error, submit } = useSubmit(
    async () => (send ? send() : null),
    (value) => {
      setSent(true);
      onSent?.(value);
    },
  );
  const foot = (
    <>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <div className={styles.again}>
        <ActionButton tone="line" busy={busy} onClick={send ? () => void submit() : onChangeAddress}>
          Send the code again
        </ActionButton>
        <ActionButton tone="line" onClick={onChangeAddress}>
          Change the address
        </ActionButton>
      </div>
    </>
  );
  return { isSentAgain: isSent && !busy && !error, foot };
}

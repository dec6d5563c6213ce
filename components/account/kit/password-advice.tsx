'use client';

import { useEffect, useState } from 'react';
import styles from './kit.module.scss';

type Check = (password: string) => boolean;

/**
 * Advises against one of the most used passwords, which stays allowed. The list comes with the first key and is looked
 * at here, so that nothing is sent while somebody types; without it there is no advice.
 */
export function PasswordAdvice({ password }: { password: string }) {
  const [check, setCheck] = useState<{ isCommon: Check } | null>(null);
  const isTyped = password !== '';
  useEffect(() => {
    if (!isTyped) return;
    import('./common-password').then(
      ({ isCommonPassword }) => setCheck({ isCommon: isCommonPassword }),
      () => undefined,
    );
  }, [isTyped]);
  return (
    <div aria-live="polite" className={styles.advice}>
      {check?.isCommon(password)
        ? 'This is one of the 10,000 most used passwords, the first that are tried on an account. You may keep it; another one is safer.'
        : null}
    </div>
  );
}

'use client';

import { Icon } from '@/components/ui/icon';
import { showToast } from '@/store/toasts';
import styles from './account.module.scss';

/** Copies a text, such as a licence code; `name` says which, for those who can't see what stands beside it. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast(`The ${name} is copied.`);
    } catch {
      showToast(`Your browser doesn’t allow copying. Please select the ${name} and copy it yourself.`, 'error');
    }
  };
  return (
    <button type="button" className={styles.copy} aria-label={`Copy the ${name}`} onClick={() => void copy()}>
      <Icon name="copy" />
    </button>
  );
}

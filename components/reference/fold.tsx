import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import styles from './reference.module.scss';

/** A part that opens; `details`, so it needs no script and a link to it opens it. */
export function Fold({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) {
  return (
    <details className={styles.fold} id={id}>
      <summary>
        <span>{title}</span>
        <Icon name="chevron-down" />
      </summary>
      <div className={styles.inside}>{children}</div>
    </details>
  );
}

/** Data as JSON, in lines that wrap. */
export function Data({ value }: { value: unknown }) {
  return (
    <pre className={styles.data}>
      <code>{JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}

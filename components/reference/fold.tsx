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

/** A sentence in which names of the wire stand between backticks. */
export function Words({ text, className }: { text: string; className?: string | undefined }) {
  const parts = text.split('`').map((part, index) => ({ part, name: index % 2 === 1, at: `${index} ${part}` }));
  return <p className={className}>{parts.map(({ part, name, at }) => (name ? <code key={at}>{part}</code> : part))}</p>;
}

/** Data as JSON, in lines that wrap. */
export function Data({ value }: { value: unknown }) {
  return (
    <pre className={styles.data}>
      <code>{JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}

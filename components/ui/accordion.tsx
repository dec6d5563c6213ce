import type { ReactNode } from 'react';
import styles from '@/styles/site.module.scss';
import { Icon } from './icon';

export type AccordionItem = { title: string; body: ReactNode; id?: string };

/** Questions that open; `details`, so it needs no script. The first is open unless told otherwise. */
export function Accordion({ items, firstOpen = true }: { items: readonly AccordionItem[]; firstOpen?: boolean }) {
  return (
    <div>
      {items.map(({ title, body, id }, index) => (
        <details key={title} id={id} className={styles.accordionItem} open={firstOpen && index === 0}>
          <summary className={styles.accordionSummary}>
            {title} <Icon name="chevron-down" />
          </summary>
          <div className={styles.accordionAnswer}>{typeof body === 'string' ? <p>{body}</p> : body}</div>
        </details>
      ))}
    </div>
  );
}

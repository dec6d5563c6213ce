import type { ReactNode } from 'react';
import { Band } from '@/components/ui/band';
import styles from './orders.module.scss';

/** Banner and result side by side. */
export function OrderPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <Band className={styles.page ?? ''}>
      <div className={styles.banner}>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </div>
      {children}
    </Band>
  );
}

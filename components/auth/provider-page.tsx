import type { ReactNode } from 'react';
import styles from './auth.module.scss';

/** A page of the embedded sign-in provider: what it is for on one side, the form on the other. */
export function ProviderPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.intro}>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </div>
      <div>
        {children}
        <noscript>
          <p>This form needs JavaScript. Please switch it on to go on.</p>
        </noscript>
      </div>
    </div>
  );
}

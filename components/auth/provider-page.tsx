import type { ReactNode } from 'react';
import styles from './auth.module.scss';

type ProviderPageProps = {
  title: string;
  lead: string;
  /** What the page says instead where people sign in elsewhere; `place` is known where it is served. */
  elsewhere?: { place: string; lead: string };
  children: ReactNode;
};

/** A page of the embedded sign-in provider: what it is for on one side, the form on the other. */
export function ProviderPage({ title, lead, elsewhere, children }: ProviderPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.intro} data-card-room="">
        <h1>{title}</h1>
        {elsewhere ? (
          <div data-place={elsewhere.place} className={styles.either}>
            <p className="lead">{lead}</p>
            <p className="lead">{elsewhere.lead}</p>
          </div>
        ) : (
          <p className="lead">{lead}</p>
        )}
      </div>
      <div>
        {children}
        <noscript>
          <p className={styles.needsScript}>
            This form needs JavaScript. Please switch it on, or <a href="/contact-us">write to us</a>.
          </p>
        </noscript>
      </div>
    </div>
  );
}

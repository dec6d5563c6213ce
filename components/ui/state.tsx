import type { ReactNode } from 'react';
import { Blocks } from './blocks';
import { cx } from './cx';
import styles from './state.module.scss';

type StateProps = { title: string; children?: ReactNode; action?: ReactNode; level?: 'h2' | 'h3' };

/** Nothing there yet: what would be here, and one action. */
export function EmptyState({ title, children, action, level: Heading = 'h3' }: StateProps) {
  return (
    <div className={styles.box}>
      <Blocks state="empty" className={styles.picture} />
      <Heading>{title}</Heading>
      {children && <p className="small">{children}</p>}
      {action}
    </div>
  );
}

/** Something did not load: what happened, what still holds, what to do. */
export function ErrorState({ title, children, action, level: Heading = 'h3' }: StateProps) {
  return (
    <div className={styles.box} role="alert">
      <Blocks state="failure" className={styles.picture} />
      <Heading>{title}</Heading>
      {children && <p className="small">{children}</p>}
      {action}
    </div>
  );
}

/** Waiting blocks with a sentence; they appear after 200 ms. There are no spinners. */
export function Waiting({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx(styles.waiting, className)} role="status">
      <Blocks state="waiting" className={styles.picture} />
      <p className="small">{children}</p>
    </div>
  );
}

/** A page that is one message: picture, heading, sentence, actions. */
export function Message({
  picture,
  title,
  children,
  actions,
}: {
  picture?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={styles.message}>
      {picture}
      <h1>{title}</h1>
      {children}
      {actions}
    </div>
  );
}

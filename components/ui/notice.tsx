import type { ReactNode } from 'react';
import { cx } from './cx';
import { Icon } from './icon';
import type { IconName } from './icon-names';
import styles from './notice.module.scss';

const icons: Record<NoticeTone, IconName> = {
  info: 'info',
  warn: 'triangle-alert',
  ok: 'circle-check',
  bad: 'circle-x',
};

export type NoticeTone = 'info' | 'warn' | 'ok' | 'bad';

/** A sentence or two that belong to the place where they stand. `role` announces one that appears. */
export function Notice({
  tone = 'info',
  role,
  children,
}: {
  tone?: NoticeTone;
  role?: 'status' | 'alert';
  children: ReactNode;
}) {
  return (
    <div className={cx(styles.notice, styles[tone])} role={role}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  );
}

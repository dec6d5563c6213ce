import type { ReactNode } from 'react';
import styles from './badge.module.scss';
import { cx } from './cx';
import { Icon } from './icon';
import type { IconName } from './icon-names';

export type BadgeTone = 'found' | 'ok' | 'off' | 'bad' | 'warn';

/** A status in one or two words; the words carry it, colour and icon support. */
export function Badge({ tone, icon, children }: { tone: BadgeTone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={cx(styles.badge, styles[tone])}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

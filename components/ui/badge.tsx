import type { ReactNode } from 'react';
import styles from '@/styles/site.module.scss';
import { cx } from './cx';
import { Icon } from './icon';
import type { IconName } from './icon-names';

export type BadgeTone = 'found' | 'ok' | 'off' | 'bad' | 'warn';

const tones: Record<BadgeTone, string | undefined> = {
  found: styles.badgeFound,
  ok: styles.badgeOk,
  off: styles.badgeOff,
  bad: styles.badgeBad,
  warn: styles.badgeWarn,
};

/** A status in one or two words; the words carry it, colour and icon support. */
export function Badge({ tone, icon, children }: { tone: BadgeTone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={cx(styles.badge, tones[tone])}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

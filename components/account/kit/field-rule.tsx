import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import styles from './kit.module.scss';

/** A rule that is visible before typing; `met` turns it green. */
export function FieldRule({ met, children }: { met: boolean; children: ReactNode }) {
  return (
    <ul className={styles.rules}>
      <li className={met ? styles.met : undefined}>
        <Icon name={met ? 'circle-check' : 'info'} />
        {children}
      </li>
    </ul>
  );
}

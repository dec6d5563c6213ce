import type { ComponentType, ReactNode } from 'react';
import type { Skin } from '@/lib/catalog/types';
import { Footer } from './footer';
import { Header } from './header';
import styles from './order-shell.module.scss';
import { Shell } from './shell';

/** What stands around the pages of one order: they wear the skin of what was bought. */
export function OrderShell({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" isScreen brandBars={{ header: both(Header), footer: both(Footer) }}>
      <div className={styles.screen}>{children}</div>
    </Shell>
  );
}

function both(Bar: ComponentType<{ skin: Skin }>): ReactNode {
  return (
    <>
      <div className={styles.mendara}>
        <Bar skin="mendara" />
      </div>
      <div className={styles.chatferry}>
        <Bar skin="chatferry" />
      </div>
    </>
  );
}

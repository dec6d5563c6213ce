'use client';

import { Empty, Result } from 'antd';
import type { ReactNode } from 'react';
import { Blocks } from '@/components/ui/blocks';
import { Icon } from '@/components/ui/icon';
import { ActionButton } from './action-button';
import styles from './kit.module.scss';

/** Nothing there yet: what would be here, and one action. */
export function EmptyResult({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Empty
      className={styles.result}
      image={<Blocks state="empty" className={styles.picture} />}
      description={
        <>
          <h3>{title}</h3>
          <p className="small">{children}</p>
        </>
      }
    >
      {action}
    </Empty>
  );
}

type FailedResultProps = {
  title: string;
  children: ReactNode;
  level?: 'h2' | 'h3';
  /** The way out: another try, unless `action` is a better one. */
  onRetry?: () => void;
  action?: ReactNode;
};

/** Something did not load: what happened, what still holds, what to do. */
export function FailedResult({ title, children, level: Heading = 'h3', onRetry, action }: FailedResultProps) {
  return (
    <Result
      status="error"
      role="alert"
      className={styles.result}
      icon={<Blocks state="failure" className={styles.picture} />}
      title={<Heading>{title}</Heading>}
      subTitle={<p className="small">{children}</p>}
      extra={
        action ?? (
          <ActionButton tone="line" size="s" onClick={onRetry}>
            <Icon name="refresh-cw" /> Try again
          </ActionButton>
        )
      }
    />
  );
}

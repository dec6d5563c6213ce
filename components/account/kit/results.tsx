'use client';

import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Blocks } from '@/components/ui/blocks';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import { limits } from '@/lib/catalog/limits';
import { ActionButton } from './action-button';
import { keepingFocus } from './keep-focus';
import styles from './kit.module.scss';
import type { ResultPart } from './result-parts';

type Kind = 'EmptyPart' | 'FailedPart';

/** antd's class names, so that its sheet draws the plain form alike. */
const names = { EmptyPart: 'antd ant-empty', FailedPart: 'antd ant-result ant-result-error' } as const;

/** The same words without antd: what is there until its part has come, and stays when it does not, as off line. */
function PlainResult({ kind, className, picture, title, text, action }: ResultPart & { kind: Kind }) {
  const parts =
    kind === 'EmptyPart'
      ? ['ant-empty-image', 'ant-empty-description', 'ant-empty-footer']
      : ['ant-result-icon', 'ant-result-title', 'ant-result-extra'];
  return (
    <div className={cx(names[kind], className)}>
      <div className={parts[0]}>{picture}</div>
      {kind === 'EmptyPart' ? (
        <div className={parts[1]}>
          {title}
          {text}
        </div>
      ) : (
        <>
          <div className={parts[1]}>{title}</div>
          <div className="ant-result-subtitle">{text}</div>
        </>
      )}
      {action ? <div className={parts[2]}>{action}</div> : null}
    </div>
  );
}

type Parts = Record<Kind, ComponentType<ResultPart>>;

/** antd's part, or the plain form where it did not come in time: what is once shown is not swapped under a finger. */
function useParts(): Parts | 'plain' | null {
  const [parts, setParts] = useState<Parts | 'plain' | null>(null);
  useEffect(() => {
    const show = (found: Parts | 'plain') => setParts((shown) => shown ?? found);
    const timer = setTimeout(() => show('plain'), limits.loadingDelayMs);
    import('./result-parts').then(show).catch(() => show('plain'));
    return () => clearTimeout(timer);
  }, []);
  return parts;
}

function LateResult({ kind, role, ...part }: ResultPart & { kind: Kind; role?: 'alert' }) {
  const parts = useParts();
  if (!parts) return null;
  const Part = parts === 'plain' ? null : parts[kind];
  return <div role={role}>{Part ? <Part {...part} /> : <PlainResult kind={kind} {...part} />}</div>;
}

/** Nothing there yet: what would be here, and one action. */
export function EmptyResult({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <LateResult
      kind="EmptyPart"
      className={styles.result ?? ''}
      picture={<Blocks state="empty" className={styles.picture} />}
      title={<h3>{title}</h3>}
      text={<p className="small">{children}</p>}
      action={action}
    />
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
    <LateResult
      kind="FailedPart"
      role="alert"
      className={styles.result ?? ''}
      picture={<Blocks state="failure" className={styles.picture} />}
      title={<Heading>{title}</Heading>}
      text={<p className="small">{children}</p>}
      action={
        action ?? (
          <ActionButton tone="line" size="s" onClick={keepingFocus(() => onRetry?.())}>
            <Icon name="refresh-cw" /> Try again
          </ActionButton>
        )
      }
    />
  );
}

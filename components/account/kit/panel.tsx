'use client';

import type { ReactNode } from 'react';
import { Waiting } from '@/components/ui/state';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';
import styles from './kit.module.scss';
import { FailedResult } from './results';
import { useLoaded } from './use-loaded';

/** A part of the account, reached by its fragment. */
export function Panel({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.panel} id={id}>
      <h2 tabIndex={-1}>{title}</h2>
      {children}
    </section>
  );
}

type ListPanelProps<T> = {
  id: string;
  title: string;
  /** Keeps its identity from one drawing to the next. */
  load: () => Promise<Result<T[], ApiError>>;
  waiting: string;
  failed: string;
  /** Follows the server's words when the list did not load. */
  calm?: string;
  /** What stands there when the list is empty. */
  empty?: ReactNode;
  /** Draws the list; `replace` puts another in its place. */
  children: (rows: T[], replace: (rows: T[]) => void) => ReactNode;
};

/** A list of the account: on its way, failed with another try, empty, or there. */
export function ListPanel<T>({ id, title, load, waiting, failed, calm, empty, children }: ListPanelProps<T>) {
  const { loaded, reload, replace } = useLoaded<T[]>(load);
  return (
    <Panel id={id} title={title}>
      {loaded.state === 'loading' ? <Waiting>{waiting}</Waiting> : null}
      {loaded.state === 'failed' ? (
        <FailedResult title={failed} onRetry={() => void reload()}>
          {calm ? `${loaded.msg} ${calm}` : loaded.msg}
        </FailedResult>
      ) : null}
      {loaded.state === 'ready' && loaded.value.length === 0 ? empty : null}
      {loaded.state === 'ready' && loaded.value.length > 0 ? children(loaded.value, replace) : null}
    </Panel>
  );
}

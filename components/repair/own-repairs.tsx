'use client';

import { useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { readableSize } from '@/lib/utils/bytes';
import { deleteOwnRepair, loadOwnRepairs, type OwnRepairsState, useOwnRepairs } from '@/store/own-repairs';
import { withPart } from '@/store/parts';
import styles from './own-repairs.module.scss';

const standing: Record<string, string> = {
  uploading: 'not complete',
  waiting: 'waiting',
  running: 'being repaired',
  success: 'repaired',
  failure: 'not repaired',
};
const found: Record<string, string> = { healthy: 'nothing wrong with it', partly: 'partly repaired' };

/** What of the visitor's lies on the server and counts to their share, asked for when it is opened. */
export function OwnRepairs() {
  const { state } = useOwnRepairs();
  const details = useRef<HTMLDetailsElement>(null);
  // Opened by the browser alone, before there was anybody to be told of it.
  useEffect(() => {
    if (details.current?.open) void withPart(loadOwnRepairs);
  }, []);
  return (
    <details
      ref={details}
      className={styles.own}
      onToggle={(event) => {
        if (event.currentTarget.open) void withPart(loadOwnRepairs);
      }}
    >
      <summary>Your files on our server</summary>
      <div className={styles.body} aria-busy={state.is === 'loading'}>
        <List state={state} />
      </div>
    </details>
  );
}

function List({ state }: { state: OwnRepairsState }) {
  const list = useRef<HTMLUListElement>(null);
  const count = state.is === 'told' ? state.tasks.length : 0;
  const before = useRef(count);
  // The button that was pressed is gone with its line.
  useEffect(() => {
    if (count < before.current) list.current?.focus();
    before.current = count;
  }, [count]);
  if (state.is === 'unasked' || state.is === 'loading') return <p role="status">One moment …</p>;
  if (state.is === 'failed') {
    return (
      <>
        <Notice tone="bad" role="alert">
          {state.error}
        </Notice>
        <Button variant="line" size="s" onClick={() => void withPart(loadOwnRepairs)}>
          Try again
        </Button>
      </>
    );
  }
  return (
    <>
      <p role="status">
        {count === 0
          ? 'Nothing of yours lies there.'
          : `${count} of at most ${state.most}. Each is deleted by itself within a day.`}
      </p>
      {state.error ? (
        <Notice tone="bad" role="alert">
          {state.error}
        </Notice>
      ) : null}
      <ul ref={list} tabIndex={-1} className={styles.list}>
        {state.tasks.map(({ id, fileName, fileSize, status, verdict }) => (
          <li key={id}>
            <span>
              <b>{fileName}</b>
              <span className="small">
                {readableSize(fileSize)}, {(verdict && found[verdict]) ?? standing[status] ?? status}
              </span>
            </span>
            <Button
              variant="line"
              size="s"
              aria-label={`Delete ${fileName}`}
              disabled={state.deleting !== null}
              onClick={() => void withPart(() => deleteOwnRepair(id))}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

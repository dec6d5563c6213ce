'use client';

import { useEffect } from 'react';
import { takeEarlyPresses } from '@/lib/utils/early-presses';
import { errorStatus } from '@/lib/utils/error-status';
import styles from '@/styles/islands.module.scss';

const action = `${styles.button} ${styles.buttonLine} ${styles.buttonSmall}`;

/** A page that broke while it was drawn. It stands alone, since every page carries its code. */
export default function PageError({ error, reset }: { error: Error; reset: () => void }) {
  // Whatever broke before may have been what hears presses.
  useEffect(() => void takeEarlyPresses(), []);
  const isPart = error.name === 'ChunkLoadError';
  // What a boundary takes reaches no listener, so that nobody would load the page anew (store/parts.ts); drawing it again asks for nothing.
  useEffect(() => {
    if (isPart) window.reportError(error);
  }, [isPart, error]);
  return (
    <main id="main" className={styles.messagePage}>
      <h1>This page didn’t load</h1>
      <p className="lead">
        {isPart
          ? 'A part of it didn’t come. Check your connection and try again.'
          : 'Something went wrong on our side.'}{' '}
        Nothing you stored here is lost.
      </p>
      {!isPart && <p className="small">Error {errorStatus(error)}</p>}
      <p className={styles.buttonRow}>
        <button type="button" className={action} onClick={isPart ? () => window.location.reload() : reset}>
          Try again
        </button>
        <a className={action} href="/">
          Back to home
        </a>
      </p>
    </main>
  );
}

'use client';

import { useRef, useState } from 'react';
import { locale } from '@/lib/catalog/limits';
import type { SessionRow } from '@/lib/contract/account';
import { showToast } from '@/store/toasts';
import styles from './account.module.scss';
import { ActionButton } from './kit/action-button';
import { keepFocusIn } from './kit/keep-focus';
import { ListPanel } from './kit/panel';

/** A browser and a system in words, as far as a user agent tells them. */
function deviceWords(agent: string): string {
  const named = (names: readonly string[], mark = '') => names.find((name) => agent.includes(name + mark));
  // Edge says Chrome and Chrome says Safari; Android says Linux, and iPhones say Mac.
  const browser = agent.includes('Edg/') ? 'Edge' : (named(['Firefox', 'Chrome', 'Safari'], '/') ?? 'A browser');
  const system = /iPhone|iPad/.test(agent)
    ? 'iOS'
    : (named(['Windows', 'Android', 'Mac', 'Linux']) ?? 'an unknown system');
  return `${browser} on ${system}`;
}

const load = async () => (await import('@/services/account')).sessions();

/** Where the account is signed in; each session can be ended. */
export function SessionsPanel() {
  const list = useRef<HTMLUListElement>(null);
  return (
    <ListPanel
      id="sessions"
      title="Signed-in devices"
      load={load}
      waiting="The list is loading."
      failed="The list didn’t load"
    >
      {(rows, replace) => (
        <ul ref={list} className={styles.rows} tabIndex={-1} aria-label="Signed-in devices">
          {rows.map((row) => (
            <SessionItem
              key={row.id}
              row={row}
              onEnded={() => {
                replace(rows.filter(({ id }) => id !== row.id));
                keepFocusIn(list.current);
              }}
            />
          ))}
        </ul>
      )}
    </ListPanel>
  );
}

/** One session: where, when last, and its end unless it is this one. */
function SessionItem({ row, onEnded }: { row: SessionRow; onEnded: () => void }) {
  const [busy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    const { endSession } = await import('@/services/account');
    const answer = await endSession(row.id);
    setBusy(false);
    if (answer.ok) {
      onEnded();
      showToast('That device is signed out.');
    } else if (answer.error.kind !== 'session') showToast(answer.error.msg, 'error');
  };
  return (
    <li>
      <div>
        {deviceWords(row.userAgent)}
        {row.current ? ', this device' : ''}
        <span>
          Last seen {new Date(row.lastSeenAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })}
        </span>
      </div>
      {row.current ? null : (
        <ActionButton tone="line" size="s" busy={busy} onClick={() => void end()}>
          Sign out there
        </ActionButton>
      )}
    </li>
  );
}

'use client';

import { Button } from '@/components/ui/button';
import { ErrorState, Waiting } from '@/components/ui/state';
import type { SessionRow } from '@/lib/contract/account';
import { showToast } from '@/store/toasts';
import styles from './account.module.scss';
import { useLoaded } from './use-loaded';

const load = async () => (await import('@/services/user')).sessions();

/** A browser and a system in words, as far as a user agent tells them. */
function deviceWords(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : 'A browser';
  const system = /Windows/.test(agent)
    ? 'Windows'
    : /iPhone|iPad/.test(agent)
      ? 'iOS'
      : /Android/.test(agent)
        ? 'Android'
        : /Mac OS/.test(agent)
          ? 'Mac'
          : /Linux/.test(agent)
            ? 'Linux'
            : 'an unknown system';
  return `${browser} on ${system}`;
}

/** Where the account is signed in; each session can be ended. */
export function SessionsPanel() {
  const { loaded, reload, replace } = useLoaded<SessionRow[]>(load);
  const end = async (id: string) => {
    const { endSession } = await import('@/services/user');
    const answer = await endSession(id);
    if (answer.ok && loaded.state === 'ready') {
      replace(loaded.value.filter((row) => row.id !== id));
      showToast('That device is signed out.');
    } else if (!answer.ok && answer.error.kind !== 'session') showToast(answer.error.msg, 'error');
  };
  return (
    <section className={styles.panel} id="sessions">
      <h2>Signed-in devices</h2>
      {loaded.state === 'loading' ? <Waiting>The list is loading.</Waiting> : null}
      {loaded.state === 'failed' ? (
        <ErrorState
          title="The list didn’t load"
          action={
            <Button variant="line" size="s" onClick={() => void reload()}>
              Try again
            </Button>
          }
        >
          {loaded.msg}
        </ErrorState>
      ) : null}
      {loaded.state === 'ready' ? (
        <ul className={styles.rows}>
          {loaded.value.map((row) => (
            <li key={row.id}>
              <div>
                {deviceWords(row.userAgent)}
                {row.current ? ', this device' : ''}
                <span>
                  Last seen{' '}
                  {new Date(row.lastSeenAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}
                </span>
              </div>
              {row.current ? null : (
                <Button variant="line" size="s" onClick={() => void end(row.id)}>
                  Sign out there
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

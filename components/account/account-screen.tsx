'use client';

import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { ErrorState, Waiting } from '@/components/ui/state';
import { useLate } from '@/components/ui/use-late';
import { leaveFor } from '@/lib/utils/going';
import { momentInWords } from '@/lib/utils/moment-words';
import { useAppState, userInfo } from '@/store/app-state';
import { type GuardVerdict, runGuard } from '@/store/guards';
import { withPart } from '@/store/parts';
import { bootSession, startSignIn } from '@/store/session';
import type { UserInfo } from '@/store/session-machine';
import styles from './account.module.scss';

const sections = [
  { id: 'products', label: 'My products', icon: 'package' },
  { id: 'orders', label: 'Orders and receipts', icon: 'file-text' },
  { id: 'profile', label: 'Profile', icon: 'user' },
  { id: 'password', label: 'Password', icon: 'key-round' },
  { id: 'sessions', label: 'Signed-in devices', icon: 'monitor' },
  { id: 'data', label: 'Your data', icon: 'archive' },
] as const;

/** On a phone the links stand in a row that is moved: a browser leaves one that is seen in part where it is. */
function showWhole({ target }: FocusEvent<HTMLElement>): void {
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** A password that is kept elsewhere is no part of the account. */
function sectionsOf(user: UserInfo) {
  return user.signsInElsewhere ? sections.filter(({ id }) => id !== 'password') : sections;
}

const loadPanels = async () => (await import('./account-panels')).AccountPanels;

/** The account: only for the signed-in; others are led to the provider and back. Its parts come after the page. */
export function AccountScreen() {
  const session = useAppState((state) => state.session);
  const user = useAppState(userInfo);
  const { Screen: Panels, hasFailed, retry } = useLate(loadPanels);
  const verdict = runGuard('signedIn', session);

  // Somebody who was shown the account and no longer is has just signed out, or was: they go home, not to the provider.
  const wasShown = useRef(false);
  useEffect(() => {
    if (verdict === 'show') wasShown.current = true;
    if (verdict === 'sign-in' && !wasShown.current) {
      void withPart(() => startSignIn(new URL('/account', window.location.origin).href));
    }
  }, [verdict]);

  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>Your account</h1>
        {user ? <p className="lead">{user.email}</p> : null}
      </div>
      {user && verdict === 'show' ? (
        <>
          <nav className={styles.nav} aria-label="Account" onFocus={showWhole}>
            {sectionsOf(user).map(({ id, label, icon }) => (
              <a key={id} href={`#${id}`}>
                <Icon name={icon} />
                {label}
              </a>
            ))}
            <button type="button" onClick={() => void withPart(leave)}>
              <Icon name="log-out" />
              Sign out
            </button>
          </nav>
          <div className={styles.main}>
            {user.mustChangePassword ? (
              <Notice tone="warn">
                {user.hasPassword
                  ? `Your password is the one we mailed you${user.presetEndsAt ? ` and works until ${momentInWords(user.presetEndsAt)}` : ''}. Please `
                  : 'The password that we mailed you has ended. Please '}
                <a href="#password">{user.hasPassword ? 'change it' : 'set a new one'}</a> now.
              </Notice>
            ) : null}
            {Panels ? <Panels user={user} /> : <PanelsWaiting hasFailed={hasFailed} retry={retry} />}
          </div>
        </>
      ) : (
        <AccountWaiting verdict={verdict} />
      )}
    </div>
  );
}

async function leave(): Promise<void> {
  const { signOut } = await import('@/store/session-check');
  await signOut();
  leaveFor('/');
}

function PanelsWaiting({ hasFailed, retry }: { hasFailed: boolean; retry: () => void }) {
  return hasFailed ? (
    <NotLoaded retry={retry}>This part of the page didn’t come. Check your connection and try again.</NotLoaded>
  ) : (
    <Waiting>Your account is loading.</Waiting>
  );
}

function NotLoaded({ retry, children }: { retry: () => void; children: ReactNode }) {
  return (
    <ErrorState
      level="h2"
      title="Your account didn’t load"
      action={
        <Button variant="line" onClick={retry}>
          <Icon name="refresh-cw" /> Try again
        </Button>
      }
    >
      {children}
    </ErrorState>
  );
}

function AccountWaiting({ verdict }: { verdict: GuardVerdict }) {
  if (verdict === 'retry') {
    return (
      <div className={styles.main}>
        <NotLoaded retry={() => void bootSession()}>
          The server can’t be reached. You stay signed in, and nothing is lost.
        </NotLoaded>
      </div>
    );
  }
  return (
    <div className={styles.main}>
      <Waiting>{verdict === 'sign-in' ? 'You are being led to the sign-in page.' : 'Your account is loading.'}</Waiting>
      <noscript>
        <p>
          The account needs JavaScript. Please switch it on to see your products, or{' '}
          <a href="/contact-us">write to us</a> with your order number.
        </p>
      </noscript>
    </div>
  );
}

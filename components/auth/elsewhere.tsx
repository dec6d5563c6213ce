'use client';

import { useEffect, useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { SignInProblem } from '@/lib/contract/sign-in';
import { leaveFor } from '@/lib/utils/going';
import { withoutParameters } from '@/lib/utils/query';
import styles from './auth.module.scss';
import { returnTo } from './return-to';

/** What somebody came for. */
export type Wish = 'sign-in' | 'register' | 'reset';

const START = '/api/v1/sso/provider/start';

const words: Record<Wish, string> = {
  'sign-in': 'You sign in at the sign-in provider of this site, and come back here.',
  register: 'You make your account at the sign-in provider of this site, and come back here.',
  reset: 'Choose “Forgot password”, or what it is called there.',
};

const problems: Record<SignInProblem, string> = {
  unavailable: 'The sign-in provider doesn’t answer right now. Nothing is lost: please try again in a minute.',
  declined: 'The sign-in was cancelled at the provider. You can try again, or go on without an account.',
  unverified:
    'The provider did not say that your e-mail address is verified, so we can’t tell which account is yours. Verify the address there, then try again.',
  expired: 'This sign-in took too long, was answered before, or began in another browser. Please begin again.',
  failed: 'The answer of the sign-in provider could not be trusted, so you were not signed in. Please try again.',
  busy: 'There were too many sign-ins from your network. Please wait a few minutes and try again.',
};

function addressOf(wish: Wish): string {
  const query = new URLSearchParams({ redirect_uri: returnTo(), ...(wish === 'register' ? { intent: wish } : {}) });
  return `${START}?${query}`;
}

/** The way to the provider, as a plain link. */
export function ElsewhereWords({ wish, href = START, again = false }: { wish: Wish; href?: string; again?: boolean }) {
  return (
    <div className={styles.elsewhere}>
      {again ? null : <p>{words[wish]}</p>}
      <a className={buttonClass()} href={href}>
        {again ? 'Try again' : 'Go to the sign-in page'} <Icon name="arrow-right" />
      </a>
    </div>
  );
}

/** Leads there at once; says what went wrong where somebody comes back from there without success, and then waits to be told. */
export function LeadElsewhere({ wish }: { wish: Wish }) {
  const [state, setState] = useState<{ problem: SignInProblem | null; href: string } | null>(null);
  useEffect(() => {
    const told = new URLSearchParams(window.location.search).get('problem') ?? '';
    const problem = Object.hasOwn(problems, told) ? (told as SignInProblem) : null;
    // Told once: a reload begins anew.
    window.history.replaceState(window.history.state, '', withoutParameters(window.location.href, ['problem']));
    const href = addressOf(wish);
    setState({ problem, href });
    // Somebody who lost a password has to read first what to do there.
    if (!problem && wish !== 'reset') leaveFor(href);
  }, [wish]);
  return (
    <div className={styles.elsewhere}>
      {state?.problem ? (
        <Notice tone="bad" role="alert">
          {problems[state.problem]}
        </Notice>
      ) : null}
      <ElsewhereWords wish={wish} href={state?.href ?? START} again={Boolean(state?.problem)} />
    </div>
  );
}

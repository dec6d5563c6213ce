import { limits } from '../lib/catalog/limits';
import type { UserDetail } from '../lib/contract/session';
import { readCookie, writeCookie } from '../lib/utils/cookies';
import { isNoVerdict } from '../services/no-verdict';
import * as services from '../services/session';
import { sessionStep, useAppState, userInfo } from './app-state';
import { logEvent } from './event-log';
import { signInHere } from './keep-user';
import { goHome, signOutHere } from './session-state';
import { isAskedFor, takeSignInState } from './sign-in-state';
import { showToast } from './toasts';
import { forgetUser, keptUser } from './user-cookie';

/** What the address and the browser bring to a load; `state` is the address's answer to the sign-in that began here. */
export type Brought = {
  cookie: string | undefined;
  ticket: string | null;
  token: string | null;
  state: string | null;
};

/** The steps of a load (lib/contract/README.md, 60), for one that brought at least one of the three. */
export async function checkBrought({ cookie, ticket, token, state }: Brought): Promise<void> {
  const begun = ticket === null && token === null ? null : takeSignInState();
  sessionStep({ type: 'check', user: cookie ? keptUser() : null });
  if (token && (await tryToken(token, cookie, isAskedFor(begun, state)))) return;
  if (cookie && (await checkCookie(cookie, ticket))) return;
  if (ticket) await loginWithTicket(ticket, (told) => isAskedFor(begun, state, told));
  else signOutHere();
}

/** Step 6. A token that fails is dropped and the earlier session stands; it does too when somebody else's is not wanted. */
async function tryToken(token: string, earlier: string | undefined, asked: boolean): Promise<boolean> {
  if (!/^[\x21-\x7e]{1,512}$/.test(token)) return false;
  writeCookie('Authorization', token, limits.generalCookieDays);
  const check = await services.checkSession(token);
  const detail = check.ok && check.value ? await services.userInfo({ ...ofToken(token), quietSession: true }) : null;
  if (isEndedMeanwhile(token)) return finishSignedOut();
  const putBack = () => {
    if (earlier) writeCookie('Authorization', earlier, limits.generalCookieDays);
    else forgetUser();
  };
  if (!detail?.ok) {
    putBack();
    return false;
  }
  const living = earlier && earlier !== token ? await userOf(earlier) : null;
  const replaces = living !== null && living.id !== detail.value.id;
  if (replaces || !asked) {
    putBack();
    if (!(await askSignIn(replaces ? living.email : null, detail.value.email))) return false;
  }
  signInHere(token, detail.value);
  if (earlier && earlier !== token) showToast(`You are now signed in as ${detail.value.email}.`);
  return true;
}

/** Asks, and waits for the answer as long as it takes. */
function askSignIn(current: string | null, next: string): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      useAppState.setState({ question: null });
      resolve(yes);
    };
    useAppState.setState({ question: { current, next, answer } });
  });
}

/** Calls go by the cookie, which another tab may change at any time; one that is about a token names it. */
const ofToken = (authorization: string) => ({ headers: { authorization } });

/** Who a token belongs to, or null when it is dead or nobody knows. */
async function userOf(token: string): Promise<{ id: string; email: string } | null> {
  const check = await services.checkSession(token);
  if (!check.ok || !check.value) return null;
  const { id, email } = check.value;
  if (id !== undefined && email !== undefined) return { id, email };
  // Another API may tell by its check only that the token is alive.
  const detail = await services.userInfo({ ...ofToken(token), quietSession: true });
  return detail.ok ? detail.value : null;
}

/** The session-invalid answer to another call, or another tab, cleared the cookies while this check was under way. */
function isEndedMeanwhile(token: string): boolean {
  return readCookie('Authorization') === undefined && token !== '';
}

/**
 * Steps 1 to 4. True when the session's fate is known; a check that got no answer changes nothing. What is found of a
 * token that another tab has replaced meanwhile is dropped, and the new one checked: else this tab would write the old
 * one back.
 */
async function checkCookie(cookie: string, ticket: string | null): Promise<boolean> {
  const check = await services.checkSession(cookie);
  const detail = check.ok && check.value && !isEndedMeanwhile(cookie) ? await services.userInfo(ofToken(cookie)) : null;
  if (isEndedMeanwhile(cookie)) return ticket === null && finishSignedOut();
  const now = readCookie('Authorization');
  if (now && now !== cookie) return checkCookie(now, ticket);
  if (detail) {
    if (detail.ok) signInHere(cookie, detail.value, 'confirm');
    else if (detail.error.kind !== 'session') sessionStep({ type: 'noAnswer' });
    return true;
  }
  if (!check.ok && isNoVerdict(check.error)) {
    sessionStep({ type: 'noAnswer' });
    return true;
  }
  return ticket === null && finishFoundEnded();
}

function finishSignedOut(): boolean {
  signOutHere();
  return true;
}

/** The check's own verdict, which tells nobody: another call, whose answer does, may have ended the session before it. */
function finishFoundEnded(): boolean {
  const before = signOutHere();
  if (before.is === 'checking') sessionStep({ type: 'end', told: true, isFound: true });
  return true;
}

/**
 * Follows what another tab did to the session, so that no page shows one account and writes into another. Asked when
 * the cookies change and when the page is looked at again.
 */
export async function followOtherTabs(): Promise<void> {
  const before = userInfo(useAppState.getState());
  const cookie = readCookie('Authorization');
  if (cookie === undefined) {
    if (!before) return;
    signOutHere();
    showToast('You are signed out: this was done in another tab.');
    goHome();
    return;
  }
  await checkBrought({ cookie, ticket: null, token: null, state: null });
  const now = userInfo(useAppState.getState());
  if (now && now.id !== before?.id) showToast(`You are now signed in as ${now.email}.`);
}

/** Steps 3 and 5. */
async function loginWithTicket(ticket: string, isAsked: (told: string | null | undefined) => boolean): Promise<void> {
  const answer = await services.loginWithTicket(ticket);
  if (!answer.ok) {
    signOutHere();
    showToast(answer.error.msg, 'error');
    return;
  }
  const { tokenValue, userDetail, signInState } = answer.value;
  if (!isAsked(signInState) && !(await askSignIn(null, userDetail.email))) {
    signOutHere();
    await services.logout(tokenValue);
    return;
  }
  signInHere(tokenValue, userDetail);
  showToast(`Signed in as ${userDetail.email}.`);
  logEvent('sign_in');
}

/** Ends the session on the server, then here; here in any case. */
export async function signOut(): Promise<void> {
  const answer = await services.logout();
  signOutHere();
  const text = answer.ok
    ? 'You are signed out.'
    : 'You are signed out on this device. The server could not be reached.';
  showToast(text, 'status', { outlivesPage: true });
}

/** Keeps changed profile fields in state and cookie. */
export function updateUser(detail: UserDetail): void {
  const token = readCookie('Authorization');
  if (token) signInHere(token, detail, 'change');
}

export { leadToProvider } from './sign-in';

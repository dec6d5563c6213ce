import { limits } from '../lib/catalog/limits';
import type { UserDetail } from '../lib/contract/account';
import { readCookie, writeCookie } from '../lib/utils/cookies';
import { withoutParameters } from '../lib/utils/query';
import type { ApiError } from '../services/api-error';
import { useAppState } from './app-state';
import { logEvent } from './event-log';
import { showToast } from './toasts';
import { forgetUser, keepUser, keptUser } from './user-cookie';

type Services = typeof import('../services/session');

/** Loads the session's calls; the code comes only when a cookie, a ticket or a token is there (contract, "Sign-in"). */
async function services(): Promise<Services> {
  const loaded = await import('../services/session');
  loaded.onSessionInvalid(onInvalidSession);
  return loaded;
}

/** Specification section 8: cookies cleared, user emptied, the server's words in a toast, the home page. */
export function onInvalidSession(msg: string): void {
  const wasSignedOut = useAppState.getState().session === 'signed-out';
  signOutHere();
  if (wasSignedOut) return;
  showToast(msg, 'error');
  goHome();
}

let goHome: () => void = () => window.location.assign('/');

/** Names the way home inside the app, so that the toast survives the move. */
export function setHomeNavigation(navigate: () => void): void {
  goHome = navigate;
}

/** Clears what the browser keeps of a session. */
export function signOutHere(): void {
  forgetUser();
  useAppState.setState({ userInfo: null, session: 'signed-out' });
}

function signInHere(Authorization: string, detail: UserDetail): void {
  const userInfo = { ...detail, Authorization };
  keepUser(userInfo);
  useAppState.setState({ userInfo, session: 'signed-in' });
}

/** Takes ticket and token out of the address before anything else can read or log them. */
function takeFromAddress(): { ticket: string | null; token: string | null } {
  const query = new URLSearchParams(window.location.search);
  const found = { ticket: query.get('ticket'), token: query.get('token') };
  if (found.ticket !== null || found.token !== null) {
    const clean = withoutParameters(window.location.href, ['ticket', 'token']);
    window.history.replaceState(window.history.state, '', clean);
  }
  return { ticket: found.ticket || null, token: found.token || null };
}

/** The sign-in rules of specification section 4, run once per load of the layout. */
export async function bootSession(): Promise<void> {
  const { ticket, token } = takeFromAddress();
  const cookie = readCookie('Authorization');
  if (!cookie && !ticket && !token) {
    useAppState.setState({ session: 'signed-out', userInfo: null });
    return;
  }
  useAppState.setState({ session: 'checking', userInfo: cookie ? keptUser() : null });
  if (token && (await tryToken(token, cookie))) return;
  if (cookie && (await checkCookie(cookie, ticket))) return;
  if (ticket) await loginWithTicket(ticket);
  else signOutHere();
}

/** Rule 6. A token that fails is dropped and the earlier session stands. */
async function tryToken(token: string, earlier: string | undefined): Promise<boolean> {
  if (!/^[\x21-\x7e]{1,512}$/.test(token)) return false;
  writeCookie('Authorization', token, limits.generalCookieDays);
  const { checkSession, userInfo } = await services();
  const check = await checkSession(token);
  const detail = check.ok && check.value ? await userInfo({ quietSession: true }) : null;
  if (detail?.ok) {
    signInHere(token, detail.value);
    if (earlier && earlier !== token) showToast(`You are now signed in as ${detail.value.email}.`);
    return true;
  }
  if (earlier) writeCookie('Authorization', earlier, limits.generalCookieDays);
  else forgetUser();
  return false;
}

/** Rules 1 to 4. True when the session's fate is known; a check that got no answer changes nothing. */
async function checkCookie(cookie: string, ticket: string | null): Promise<boolean> {
  const { checkSession, userInfo } = await services();
  const check = await checkSession(cookie);
  if (check.ok && check.value) {
    const detail = await userInfo();
    if (detail.ok) signInHere(cookie, detail.value);
    else if (detail.error.kind !== 'session') keepAsItWas();
    return true;
  }
  if (!check.ok && isNoVerdict(check.error)) {
    keepAsItWas();
    return true;
  }
  return ticket === null && finishSignedOut();
}

/** A lost answer, or one of a server in trouble, says nothing about the session: it must not sign anybody out. */
function isNoVerdict({ kind, status }: ApiError): boolean {
  return (kind !== 'session' && kind !== 'refusal') || status >= 500 || status === 429;
}

function finishSignedOut(): boolean {
  signOutHere();
  return true;
}

/** The server did not answer: the kept user stays, and every call will say for itself whether it is let in. */
function keepAsItWas(): void {
  useAppState.setState(({ userInfo }) => ({ session: userInfo ? 'signed-in' : 'unanswered' }));
}

/**
 * Follows what another tab did to the session, so that no page shows one account and writes into another. Asked when
 * the cookies change and when the page is looked at again.
 */
export async function followOtherTabs(): Promise<void> {
  const { session, userInfo } = useAppState.getState();
  const cookie = readCookie('Authorization');
  if (session === 'unknown' || session === 'checking' || cookie === userInfo?.Authorization) return;
  if (cookie === undefined) {
    if (!userInfo) return;
    signOutHere();
    showToast('You are signed out: this was done in another tab.');
    goHome();
    return;
  }
  await bootSession();
  const { userInfo: now } = useAppState.getState();
  if (now && now.id !== userInfo?.id) showToast(`You are now signed in as ${now.email}.`);
}

/** Rules 3 and 5. */
async function loginWithTicket(ticket: string): Promise<void> {
  const { loginWithTicket: login } = await services();
  const answer = await login(ticket);
  if (answer.ok) {
    signInHere(answer.value.tokenValue, answer.value.userDetail);
    showToast(`Signed in as ${answer.value.userDetail.email}.`);
    logEvent('sign_in');
    return;
  }
  signOutHere();
  showToast(answer.error.msg, 'error');
}

/** Leads to the sign-in provider and back to an address of this site. */
export async function startSignIn(returnTo: string = window.location.href): Promise<void> {
  const { authUrl } = await services();
  const answer = await authUrl();
  if (!answer.ok) {
    showToast(answer.error.msg, 'error');
    return;
  }
  const provider = new URL(answer.value, window.location.origin);
  provider.searchParams.set('redirect_uri', new URL(returnTo, window.location.origin).href);
  window.location.assign(provider.href);
}

/** Ends the session on the server, then here; here in any case. */
export async function signOut(): Promise<void> {
  const { logout } = await services();
  const answer = await logout();
  signOutHere();
  showToast(answer.ok ? 'You are signed out.' : 'You are signed out on this device. The server could not be reached.');
}

/** Keeps changed profile fields in state and cookie. */
export function updateUser(detail: UserDetail): void {
  const token = readCookie('Authorization');
  if (token) signInHere(token, detail);
}

import { readCookie } from '../lib/utils/cookies';
import { withoutParameters } from '../lib/utils/query';
import { sessionStep, useAppState, userInfo } from './app-state';
import { keptUser } from './user-cookie';

/** Takes ticket and token out of the address before anything else can read or log them. */
function takeFromAddress(): { ticket: string | null; token: string | null; state: string | null } {
  const names = ['ticket', 'token', 'state'];
  const query = new URLSearchParams(window.location.search);
  const [ticket = null, token = null, state = null] = names.map((name) => query.get(name));
  if (ticket !== null || token !== null) {
    window.history.replaceState(window.history.state, '', withoutParameters(window.location.href, names));
  }
  return { ticket: ticket || null, token: token || null, state };
}

/**
 * The steps of a load (lib/contract/README.md, 60), run once per load of the layout. The check's code comes only when a
 * cookie, a ticket or a token is there.
 */
export async function bootSession(): Promise<void> {
  const { ticket, token, state } = takeFromAddress();
  const cookie = readCookie('Authorization');
  if (!cookie && !ticket && !token) {
    sessionStep({ type: 'end', told: false });
    return;
  }
  sessionStep({ type: 'check', user: cookie ? keptUser() : null });
  try {
    const { checkBrought } = await import('./session-check');
    await checkBrought({ cookie, ticket, token, state });
  } catch (error) {
    // A part of the program did not load; the error goes on to who reloads the page for that.
    sessionStep({ type: 'noCode' });
    throw error;
  }
}

/** Asks what another tab did to the session; nothing is loaded while the cookie is the one that is shown. */
export async function followOtherTabs(): Promise<void> {
  const state = useAppState.getState();
  if (state.session.is === 'unknown' || state.session.is === 'checking') return;
  if (readCookie('Authorization') === userInfo(state)?.Authorization) return;
  await (await import('./session-check')).followOtherTabs();
}

/** Leads to the sign-in provider and back; what it takes is loaded then. */
export async function startSignIn(returnTo?: string): Promise<void> {
  const { leadToProvider } = await import('./session-check');
  await leadToProvider(returnTo);
}

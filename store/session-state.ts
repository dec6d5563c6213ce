import { leaveFor } from '../lib/utils/going';
import { onSessionInvalid } from '../services/session-invalid';
import { sessionStep } from './app-state';
import type { Session } from './session-machine';
import { showToast } from './toasts';
import { forgetUser } from './user-cookie';

/** Cookies cleared, user emptied, the server's words in a toast, the home page; once for calls that fail together (lib/contract/README.md, 61). */
export function onInvalidSession(msg: string): void {
  const before = signOutHere();
  if (before.is === 'signed-out' && before.told) return;
  showToast(msg, 'error');
  goHome();
}

let navigateHome: () => void = () => leaveFor('/');

/** Names the way home inside the app, so that the toast survives the move. */
export function setHomeNavigation(navigate: () => void): void {
  navigateHome = navigate;
}

/** Leads home. */
export function goHome(): void {
  navigateHome();
}

/** Clears what the browser keeps of a session; answers how it stood before. */
export function signOutHere(): Session {
  forgetUser();
  return sessionStep({ type: 'end', told: true });
}

// With this module, which every page has from the start: whichever call comes first, its answer is heard.
onSessionInvalid(onInvalidSession);

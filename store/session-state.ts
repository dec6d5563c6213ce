import { leaveFor } from '../lib/utils/going';
import { onSessionInvalid } from '../services/session-invalid';
import { sessionStep } from './app-state';
import { showToast } from './toasts';
import { forgetUser } from './user-cookie';

/** Specification section 8: cookies cleared, user emptied, the server's words in a toast, the home page; once for calls that fail together. */
export function onInvalidSession(msg: string): void {
  forgetUser();
  const before = sessionStep({ type: 'invalid' });
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

/** Clears what the browser keeps of a session. */
export function signOutHere(): void {
  forgetUser();
  sessionStep({ type: 'end', told: true });
}

// With this module, which every page has from the start: whichever call comes first, its answer is heard.
onSessionInvalid(onInvalidSession);

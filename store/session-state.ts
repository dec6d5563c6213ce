import { leaveFor } from '../lib/utils/going';
import { useAppState } from './app-state';
import { showToast } from './toasts';
import { forgetUser } from './user-cookie';

/** Specification section 8: cookies cleared, user emptied, the server's words in a toast, the home page. */
export function onInvalidSession(msg: string): void {
  const wasSignedOut = useAppState.getState().session === 'signed-out';
  signOutHere();
  if (wasSignedOut) return;
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
  useAppState.setState({ userInfo: null, session: 'signed-out' });
}

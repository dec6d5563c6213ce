import { sessionStep, useAppState } from './app-state';
import { goHome } from './session-state';
import { showToast } from './toasts';

/** For a screen whose content belonged to the session that the check of the load found ended; false where none was. */
export function tellFoundEnd(msg: string): boolean {
  const { session } = useAppState.getState();
  if (session.is !== 'signed-out' || !session.isFound) return false;
  sessionStep({ type: 'end', told: true });
  showToast(msg, 'error');
  goHome();
  return true;
}

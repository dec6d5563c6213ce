import { returnAddress } from '../lib/utils/coming-back';
import { leaveFor } from '../lib/utils/going';
import { authUrl } from '../services/session';
import { newSignInState } from './sign-in-state';
import { showToast } from './toasts';

/**
 * Leads to the sign-in provider and back to where the visitor was, query and fragment included. Our own provider's page
 * gets the query too, since it is a page like any other.
 */
export async function leadToProvider(returnTo?: string): Promise<void> {
  const answer = await authUrl();
  if (!answer.ok) {
    showToast(answer.error.msg, 'error');
    return;
  }
  const back = new URL(returnAddress(returnTo));
  back.searchParams.set('state', newSignInState());
  const provider = new URL(answer.value, window.location.origin);
  provider.searchParams.set('redirect_uri', back.href);
  leaveFor(provider.href);
}

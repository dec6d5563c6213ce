import { withoutUsedOnce } from '@/lib/utils/query';
import { newSignInState } from '@/store/sign-in-state';

/**
 * Where the ticket goes: the address in `redirect_uri` if it is an absolute web address, else the account. Which origins
 * are allowed the server decides. A sign-in that begins on the provider's own page, as by the link of a mail, gets its
 * `state` here.
 */
export function returnTo(): string {
  const url = wantedAddress();
  if (url.origin === window.location.origin && !url.searchParams.has('state')) {
    url.searchParams.set('state', newSignInState());
  }
  return url.href;
}

/**
 * Where somebody goes on to who is signed in already: the page of ours that they wanted, else the account. Null for a page of another
 * site: only a ticket tells that one who they are.
 */
export function goOnTo(): string | null {
  const url = wantedAddress();
  return url.origin === window.location.origin ? withoutUsedOnce(url.href) : null;
}

function wantedAddress(): URL {
  const account = new URL('/account', window.location.origin);
  try {
    const url = new URL(new URLSearchParams(window.location.search).get('redirect_uri') ?? '');
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : account;
  } catch {
    return account;
  }
}

/** Another page of the provider, with the same way back. */
export function withReturn(path: string): string {
  const wanted = new URLSearchParams(window.location.search).get('redirect_uri');
  return wanted === null ? path : `${path}?redirect_uri=${encodeURIComponent(wanted)}`;
}

/**
 * Where the ticket goes: the address in `redirect_uri` if it is an absolute web address, else the account. Which origins
 * are allowed the server decides.
 */
export function returnTo(): string {
  const wanted = new URLSearchParams(window.location.search).get('redirect_uri') ?? '';
  const account = new URL('/account', window.location.origin).href;
  try {
    const url = new URL(wanted);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : account;
  } catch {
    return account;
  }
}

/** Another page of the provider, with the same way back. */
export function withReturn(path: string): string {
  const wanted = new URLSearchParams(window.location.search).get('redirect_uri');
  return wanted === null ? path : `${path}?redirect_uri=${encodeURIComponent(wanted)}`;
}

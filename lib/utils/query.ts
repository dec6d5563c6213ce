/**
 * Parameters that belong to one page or work once: never carried to another address. Everything else in the query is
 * kept across navigation (specification section 2, "Link clicks").
 */
const ownToPage = new Set([
  'ticket',
  'token',
  'toast',
  'tip',
  'orderId',
  'key',
  'redirect_uri',
  'email',
  'code',
  'from',
]);

/** True for an address inside the site that the app's router may open: same origin, not the API, not a file. */
export function isInternalPage(url: URL, origin: string): boolean {
  return url.origin === origin && !url.pathname.startsWith('/api/') && !/\.[a-z0-9]{2,5}$/i.test(url.pathname);
}

/**
 * Adds the parameters of the current query to an internal address; those the address brings itself win.
 *
 * @param href absolute or root-relative address
 * @param current the present query, such as `?gclid=1`
 * @param origin the site's origin
 * @returns path, query and fragment
 */
export function withCurrentQuery(href: string, current: string, origin: string): string {
  const url = new URL(href, origin);
  for (const [name, value] of new URLSearchParams(current)) {
    if (!ownToPage.has(name) && !url.searchParams.has(name)) url.searchParams.append(name, value);
  }
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The address without some parameters of its query. */
export function withoutParameters(href: string, names: readonly string[]): string {
  const url = new URL(href);
  for (const name of names) url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Parameters that work once: gone after their use (lib/contract/README.md, 17). */
const usedOnce = ['ticket', 'token', 'state', 'toast', 'tip'];

/**
 * Parameters of the pages of an order and of signing in, which stay there. On any other page they are a visitor's own: everything else
 * in the query is kept across navigation (lib/contract/README.md, 17).
 */
const ownToPage = /^\/(pa|pen|log|reg|res).* (orderId|redirect_uri|from|website)$/;

/** True for an address inside the site that the app's router may open: same origin, not the API, not a file. */
export function isInternalPage(url: URL, origin: string): boolean {
  return url.origin === origin && !url.pathname.startsWith('/api/') && !/\.[a-z0-9]{2,5}$/i.test(url.pathname);
}

/**
 * Adds the parameters of the current query to an internal address, each as often as it is there; those the address
 * brings itself win. An address of another site is left as it is.
 *
 * @param href absolute or root-relative address
 * @param current the present query, such as `?gclid=1`
 * @param origin the site's origin
 * @param page the path of the present page
 * @returns path, query and fragment
 */
export function withCurrentQuery(href: string, current: string, origin: string, page = '/'): string {
  const url = new URL(href, origin);
  if (url.origin !== origin) return url.href;
  const own = new Set(url.searchParams.keys());
  for (const [name, value] of new URLSearchParams(current)) {
    if (!(usedOnce.includes(name) || own.has(name) || ownToPage.test(`${page} ${name}`)))
      url.searchParams.append(name, value);
  }
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The address without some parameters of its query. */
export function withoutParameters(href: string, names: readonly string[]): string {
  const url = new URL(href);
  for (const name of names) url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The address without what works once. */
export function withoutUsedOnce(href: string): string {
  return withoutParameters(href, usedOnce);
}

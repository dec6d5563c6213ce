/**
 * The origin under which pages are built. The public address is known only where they are served, and stands in its
 * place there (RFC 2606: names under `.invalid` never exist).
 */
export const UNKNOWN_ORIGIN = 'https://public-address.invalid';

/** A path's absolute address, without a trailing slash except for the root of the origin itself. */
export function absolute(path: string): string {
  return path === '/' ? UNKNOWN_ORIGIN : `${UNKNOWN_ORIGIN}${path}`;
}

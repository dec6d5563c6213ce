/**
 * The origin under which pages are built. The public address is known only where they are served, and stands in its
 * place there (RFC 2606: names under `.invalid` never exist).
 */
export const UNKNOWN_ORIGIN = 'https://public-address.invalid';

/** Where people sign in is known only there too; {@link signInPlaces} has what then stands in its place. */
export const UNKNOWN_SIGN_IN = 'sign-in-place.invalid';

/** What pages are told of it: they keep the form themselves, or lead to a provider. */
export const signInPlaces = { here: 'here', elsewhere: 'elsewhere' } as const;

/** A path's absolute address, without a trailing slash except for the root of the origin itself. */
export function absolute(path: string): string {
  return path === '/' ? UNKNOWN_ORIGIN : `${UNKNOWN_ORIGIN}${path}`;
}

import { withCurrentQuery } from './query';

/**
 * The one function that makes every address that the program goes to by itself: the query of the present page goes
 * along as it does with a link, the fragment of the target stays.
 *
 * @param target absolute or root-relative address; one of another site is left as it is
 */
export function programAddress(target: string): string {
  const { search, origin, pathname } = window.location;
  return withCurrentQuery(target, search, origin, pathname);
}

/** Leaves for an address of the program by loading it anew. */
export function leaveFor(target: string): void {
  window.location.assign(programAddress(target));
}

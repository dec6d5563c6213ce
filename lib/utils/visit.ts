import { randomId } from './random-id';

/** What is known of this visit from its first address; memory only, gone with the page (lib/contract/README.md, 34). */
export type Visit = {
  trackId: string;
  channel: string | null;
  clientId: string | null;
  gcid: string | null;
  gclid: string | null;
};

let current: Visit | null = null;

/** Tracking values are opaque short texts; anything else in the address is not ours. */
function shortValue(query: URLSearchParams, name: string): string | null {
  const value = query.get(name);
  return value !== null && /^[\w.~:+/=-]{1,200}$/.test(value) ? value : null;
}

/** Reads the visit from the address once per page load. */
export function visit(): Visit {
  if (!current) {
    const query = new URLSearchParams(window.location.search);
    current = {
      trackId: randomId(),
      channel: shortValue(query, 'channel'),
      clientId: shortValue(query, 'client_id'),
      gcid: shortValue(query, 'gcid'),
      gclid: shortValue(query, 'gclid'),
    };
  }
  return current;
}

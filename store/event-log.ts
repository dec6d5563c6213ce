import type { EventCode } from '../lib/contract/events';
import { hasAgreed } from '../lib/utils/consent';

let previousDocument = '';

/** Path and query of the page without what works once or opens something. */
function currentDocument(): string {
  const url = new URL(window.location.href);
  for (const name of ['ticket', 'token', 'state', 'key', 'code', 'email', 'redirect_uri'])
    url.searchParams.delete(name);
  return `${url.pathname}${url.search}`;
}

/** Logs an event, only after the visitor agreed; the code that writes and sends it is loaded then (specification section 7). */
export function logEvent(eventCode: EventCode, extend: Record<string, string> = {}): void {
  if (!hasAgreed()) return;
  const currDocument = currentDocument();
  const prevDocument = previousDocument;
  if (eventCode === 'page_view') previousDocument = currDocument;
  void import('./event-writing')
    .then(({ writeEvent }) => writeEvent(eventCode, extend, { currDocument, prevDocument }))
    // The log is never in anyone's way.
    .catch(() => undefined);
}

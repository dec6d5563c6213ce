import type { EventCode } from '../lib/contract/events';
import { hasAgreed } from '../lib/utils/consent';

/** The page that was counted last, and the one before it. */
let current = '';
let previous = '';

/** Logs an event, only after the visitor agreed; the code that writes and sends it is loaded then (lib/contract/README.md, 46). */
export function logEvent(eventCode: EventCode, extend: Record<string, string> = {}): void {
  if (!hasAgreed()) return;
  const { href } = window.location;
  if (eventCode === 'page_view') [previous, current] = [current, href];
  const before = previous;
  void import('./event-writing')
    .then(({ writeEvent }) => writeEvent(eventCode, extend, href, before))
    // The log is never in anyone's way.
    .catch(() => undefined);
}

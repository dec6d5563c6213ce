import type { EventCode } from '../lib/contract/events';
import { hasAgreed } from '../lib/utils/consent';

let previousAddress = '';

/** Logs an event, only after the visitor agreed; the code that writes and sends it is loaded then (lib/contract/README.md, 46). */
export function logEvent(eventCode: EventCode, extend: Record<string, string> = {}): void {
  if (!hasAgreed()) return;
  const { href } = window.location;
  const previous = previousAddress;
  if (eventCode === 'page_view') previousAddress = href;
  void import('./event-writing')
    .then(({ writeEvent }) => writeEvent(eventCode, extend, href, previous))
    // The log is never in anyone's way.
    .catch(() => undefined);
}

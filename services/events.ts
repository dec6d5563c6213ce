import type { EventLog } from '../lib/contract/requests/events';

/** Host of the event log; the product API's own base unless another one is named. */
const eventHost = process.env.NEXT_PUBLIC_EVENT_HOST || process.env.NEXT_PUBLIC_PRODUCT_API_URL || '/api/v1';

/** POST {event host}/event/track/log: sent and forgotten, never awaited, never shown (lib/contract/README.md, 46). */
export function sendEvent(event: EventLog): void {
  const address = `${eventHost}/event/track/log`;
  const body = JSON.stringify(event);
  try {
    // text/plain keeps the beacon a simple request: no preflight on another origin.
    if (navigator.sendBeacon?.(address, new Blob([body], { type: 'text/plain' }))) return;
    void fetch(address, { method: 'POST', body, keepalive: true }).catch(() => undefined);
  } catch {
    // The log is never in anyone's way.
  }
}

import { eventOs, marketingChannel } from '../lib/catalog/limits';
import type { EventCode } from '../lib/contract/events';
import { VERSION_CODE } from '../lib/contract/headers';
import { channel, trackId } from '../lib/utils/client-values';
import { hasAgreed } from '../lib/utils/consent';
import { useAppState } from './app-state';

let previousDocument = '';

/** Path and query of the page without what works once or opens something. */
function currentDocument(): string {
  const url = new URL(window.location.href);
  for (const name of ['ticket', 'token', 'key', 'code', 'email', 'redirect_uri']) url.searchParams.delete(name);
  return `${url.pathname}${url.search}`;
}

/** Logs an event, only after the visitor agreed; the code that sends it is loaded then (specification section 7). */
export function logEvent(eventCode: EventCode, extend: Record<string, string> = {}): void {
  if (!hasAgreed()) return;
  const document = currentDocument();
  const event = {
    apkChannel: channel() ?? '',
    currDocument: document,
    domain: window.location.hostname,
    eventCode,
    eventType: eventCode === 'page_view' ? 'view' : 'action',
    extend: JSON.stringify(extend),
    ip: '',
    ipCountryCode: '',
    marketingChannel,
    os: eventOs,
    prevDocument: previousDocument,
    trackId: trackId(),
    userId: useAppState.getState().userInfo?.id ?? '',
    version: VERSION_CODE,
  };
  if (eventCode === 'page_view') previousDocument = document;
  void import('../services/events').then(({ sendEvent }) => sendEvent(event)).catch(() => undefined);
}

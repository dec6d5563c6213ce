import { eventOs, marketingChannel } from '../lib/catalog/limits';
import type { EventCode } from '../lib/contract/events';
import { VERSION_CODE } from '../lib/contract/headers';
import { trackId } from '../lib/utils/client-values';
import { sendEvent } from '../services/events';
import { useAppState, userInfo } from './app-state';

/** Path and query of an address without what works once or opens something; nothing of none. */
function documentOf(address: string): string {
  if (address === '') return '';
  const url = new URL(address);
  for (const name of ['ticket', 'token', 'state', 'key', 'code', 'email', 'redirect_uri'])
    url.searchParams.delete(name);
  return `${url.pathname}${url.search}`;
}

/** Fills in the event-log payload (lib/contract/README.md, 46) and sends it; the addresses are this page's and the last one's. */
export function writeEvent(
  eventCode: EventCode,
  extend: Record<string, string>,
  address: string,
  previous: string,
): void {
  const state = useAppState.getState();
  sendEvent({
    apkChannel: state.channel ?? '',
    currDocument: documentOf(address),
    prevDocument: documentOf(previous),
    domain: window.location.hostname,
    eventCode,
    eventType: eventCode === 'page_view' ? 'view' : 'action',
    extend: JSON.stringify(extend),
    ip: '',
    ipCountryCode: '',
    marketingChannel,
    os: eventOs,
    trackId: trackId(),
    userId: userInfo(state)?.id ?? '',
    version: VERSION_CODE,
  });
}

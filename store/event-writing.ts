import { eventOs, marketingChannel } from '../lib/catalog/limits';
import type { EventCode, EventLog } from '../lib/contract/events';
import { VERSION_CODE } from '../lib/contract/headers';
import { trackId } from '../lib/utils/client-values';
import { sendEvent } from '../services/events';
import { useAppState, userInfo } from './app-state';

/** Fills in the event-log payload (specification section 3) and sends it. */
export function writeEvent(
  eventCode: EventCode,
  extend: Record<string, string>,
  documents: Pick<EventLog, 'currDocument' | 'prevDocument'>,
): void {
  const state = useAppState.getState();
  sendEvent({
    apkChannel: state.channel ?? '',
    ...documents,
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

import { eventOs, marketingChannel } from '../lib/catalog/limits';
import type { EventCode } from '../lib/contract/events';
import { VERSION_CODE } from '../lib/contract/headers';
import type { EventLog } from '../lib/contract/requests/events';
import { channel, trackId } from '../lib/utils/client-values';
import { sendEvent } from '../services/events';
import { useAppState } from './app-state';

/** Fills in the event-log payload (specification section 3) and sends it. */
export function writeEvent(
  eventCode: EventCode,
  extend: Record<string, string>,
  documents: Pick<EventLog, 'currDocument' | 'prevDocument'>,
): void {
  sendEvent({
    apkChannel: channel() ?? '',
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
    userId: useAppState.getState().userInfo?.id ?? '',
    version: VERSION_CODE,
  });
}

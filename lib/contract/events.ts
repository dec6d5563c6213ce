/** Payload of `POST {event host}/event/track/log` (specification section 3); `ip` and `ipCountryCode` are sent empty. */
export type EventLog = {
  apkChannel: string;
  currDocument: string;
  domain: string;
  eventCode: EventCode;
  eventType: string;
  extend: string;
  ip: string;
  ipCountryCode: string;
  marketingChannel: string;
  os: string;
  prevDocument: string;
  trackId: string;
  userId: string;
  version: string;
};

/** What is logged, only after the visitor agreed (contract, "Small things"). */
export const eventCodes = [
  'page_view',
  'download',
  'buy',
  'order_result',
  'repair_start',
  'repair_result',
  'sign_in',
] as const;
export type EventCode = (typeof eventCodes)[number];

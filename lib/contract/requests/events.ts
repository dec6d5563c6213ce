import * as z from 'zod/mini';
import { eventCodes } from '../events';
import { shortText } from './fields';

const short = shortText(300);
const long = shortText(2048);

/** Payload of `POST {event host}/event/track/log` (lib/contract/README.md, 46); `ip` and `ipCountryCode` are sent empty. */
export const eventSchema = z.object({
  apkChannel: short,
  currDocument: long,
  domain: short,
  eventCode: z.enum(eventCodes),
  eventType: short,
  extend: long,
  ip: short,
  ipCountryCode: short,
  marketingChannel: short,
  os: short,
  prevDocument: long,
  trackId: short,
  userId: short,
  version: short,
});
export type EventLog = z.infer<typeof eventSchema>;

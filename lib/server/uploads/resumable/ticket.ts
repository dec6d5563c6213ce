import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../config/secrets';

/** Header that carries the ticket of each request of a resumable upload. */
export const TICKET_HEADER = 'upload-ticket';

/** The right to write to one upload until `expiresAt`: seconds since 1970 and an HMAC-SHA256 over them and the upload's id. */
export function signTicket(secrets: Secrets, id: string, expiresAt: Date): string {
  const until = Math.floor(expiresAt.getTime() / 1000);
  return `${until}.${mac(secrets, id, until)}`;
}

/** Whether a ticket is one of ours for this upload, and not over. */
export function isGoodTicket(secrets: Secrets, id: string, ticket: string | null, now: Date): boolean {
  const [, until = '', given = ''] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(ticket ?? '') ?? [];
  if (given === '' || Number(until) * 1000 <= now.getTime()) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(mac(secrets, id, Number(until))));
}

function mac({ uploadSigning }: Secrets, id: string, until: number): string {
  return createHmac('sha256', uploadSigning).update(`resumable:${id}:${until}`).digest('hex');
}

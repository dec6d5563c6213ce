import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header that carries the sandbox's signature: `t=<unix seconds>,v1=<hex>`. */
export const SIGNATURE_HEADER = 'sandbox-signature';

/** A signature older, or further ahead, than this is refused. */
const TOLERANCE_SECONDS = 300;

function mac(secret: string, seconds: number, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
}

/** Signs a webhook body: HMAC-SHA-256 over the timestamp and the raw bytes. */
export function sign(secret: string, at: Date, body: Uint8Array): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${mac(secret, seconds, body).toString('hex')}`;
}

/** True when the signature fits the body and is fresh. */
export function isSigned(secret: string, now: Date, body: Uint8Array, signature: string): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature);
  if (!match?.[1] || !match[2]) return false;
  const seconds = Number(match[1]);
  if (Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS) return false;
  return timingSafeEqual(mac(secret, seconds, body), Buffer.from(match[2], 'hex'));
}

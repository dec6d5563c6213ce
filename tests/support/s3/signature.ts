import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The one key that the server behind the checker knows. */
export const S3_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A signature counts for so long around the store's time. */
const SKEW_MS = 15 * 60_000;

/** Why a request is not let through: the code and the status of the real service. */
export type S3Fault = { status: number; code: string; message: string };

const fault = (status: number, code: string, message: string): S3Fault => ({ status, code, message });

/** Checks a request as Amazon S3 does ("Authenticating Requests", signature version 4), by header or by query. Null when it is right. */
export function faultOfRequest(request: IncomingMessage, now: Date): S3Fault | null {
  const url = new URL(request.url ?? '/', 'http://store');
  const query = [...url.searchParams];
  const presigned = Object.fromEntries(query.filter(([name]) => name.startsWith('X-Amz-')));
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  const [credential, signedHeaders, signature] = header
    ? header.slice(1)
    : [presigned['X-Amz-Credential'], presigned['X-Amz-SignedHeaders'], presigned['X-Amz-Signature']];
  if (!credential || !signedHeaders || !signature) return fault(403, 'AccessDenied', 'Nobody signed this.');
  const stamp = String(header ? request.headers['x-amz-date'] : presigned['X-Amz-Date']);
  const age = now.getTime() - timeOf(stamp);
  if (header && Math.abs(age) > SKEW_MS) return fault(403, 'RequestTimeTooSkewed', 'The clocks differ.');
  if (!header && (age > Number(presigned['X-Amz-Expires']) * 1000 || age < -SKEW_MS)) {
    return fault(403, 'AccessDenied', 'Request has expired');
  }
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    header ? String(request.headers['x-amz-content-sha256']) : 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const [, ...scope] = credential.split('/');
  const text = ['AWS4-HMAC-SHA256', stamp, scope.join('/'), createHash('sha256').update(canonical).digest('hex')];
  return credential.startsWith(`${S3_KEY.accessKeyId}/`) && sign(text.join('\n'), scope) === signature
    ? null
    : fault(403, 'SignatureDoesNotMatch', 'The signature does not match.');
}

/** Checks a form ("Browser-based uploads using POST"): signature, expiry, and that each field and the file are as the policy says. */
export function faultOfForm(fields: ReadonlyMap<string, string>, bytes: number, now: Date): S3Fault | null {
  const policy = fields.get('policy') ?? '';
  const [key, ...scope] = (fields.get('x-amz-credential') ?? '').split('/');
  if (key !== S3_KEY.accessKeyId || sign(policy, scope) !== fields.get('x-amz-signature')) {
    return fault(403, 'SignatureDoesNotMatch', 'The signature does not match.');
  }
  const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString()) as {
    expiration: string;
    conditions: (Record<string, string> | [string, string | number, string | number])[];
  };
  if (new Date(expiration) <= now) return fault(403, 'AccessDenied', 'Invalid according to Policy: Policy expired.');
  const covered = new Set(['policy', 'x-amz-signature', 'file']);
  for (const condition of conditions) {
    const [rule, name, value] = Array.isArray(condition)
      ? condition
      : ['eq', `$${Object.keys(condition)[0]}`, Object.values(condition)[0]];
    if (rule === 'content-length-range') {
      if (bytes > Number(value))
        return fault(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
      if (bytes < Number(name))
        return fault(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
      continue;
    }
    const field = String(name).slice(1).toLowerCase();
    const sent = fields.get(field) ?? '';
    const fits = rule === 'starts-with' ? sent.startsWith(String(value)) : sent === value;
    // The bucket is named by the address.
    if (field !== 'bucket' && !fits) return fault(403, 'AccessDenied', `Invalid according to Policy: ${field}`);
    covered.add(field);
  }
  const extra = [...fields.keys()].find((field) => !covered.has(field) && !field.startsWith('x-ignore-'));
  return extra ? fault(403, 'AccessDenied', `Invalid according to Policy: Extra input fields: ${extra}`) : null;
}

function sign(text: string, scope: readonly string[]): string {
  const signingKey = scope.reduce<Buffer>((key, part) => mac(key, part), Buffer.from(`AWS4${S3_KEY.secretAccessKey}`));
  return mac(signingKey, text).toString('hex');
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function timeOf(stamp: string): number {
  return Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** As in RFC 3986: everything but the unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

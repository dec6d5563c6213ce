import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ok } from '../../../contract/result';
import { type Outcome, refuse } from '../../base/refusal';

/** Who signs, for which store: AWS names. The local store has a fixed pair and a secret of its own. */
export type PolicySigner = { accessKey: string; secret: string; region: string; bucket: string };

/** What a form allows: one object of exactly `bytes` bytes under `key`, until `expiresAt`. */
export type PolicyTerms = { key: string; bytes: number; now: Date; expiresAt: Date };

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The local store's signer. */
export function localSigner(secret: string): PolicySigner {
  return { accessKey: 'local', secret, region: 'local', bucket: 'uploads' };
}

/**
 * The form fields of a signed browser upload (Amazon S3 API, "Browser-based uploads using POST", signature version 4).
 * The form is the same as an S3-compatible store’s.
 */
export function signPolicy(signer: PolicySigner, terms: PolicyTerms): Record<string, string> {
  const stamp = terms.now.toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${stamp.slice(0, 8)}/${signer.region}/s3/aws4_request`;
  const fields = {
    key: terms.key,
    bucket: signer.bucket,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${signer.accessKey}/${scope}`,
    'X-Amz-Date': stamp,
  };
  const policy = Buffer.from(
    JSON.stringify({
      expiration: terms.expiresAt.toISOString(),
      conditions: [
        ['content-length-range', terms.bytes, terms.bytes],
        ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
      ],
    }),
  ).toString('base64');
  return { ...fields, Policy: policy, 'X-Amz-Signature': signature(signer, stamp, policy) };
}

const policySchema = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.tuple([z.literal('content-length-range'), z.number().int(), z.number().int()]),
      z.record(z.string(), z.string()),
    ]),
  ),
});

/** Checks the fields of a form that comes back: signature, expiry, and that every field is as it was signed. */
export function checkPolicy(
  signer: PolicySigner,
  fields: ReadonlyMap<string, string>,
  now: Date,
): Outcome<{ key: string; bytes: number }> {
  const refused = refuse('forbidden', 'This upload was not allowed by the server. Please choose the file again.');
  const policy = fields.get('Policy') ?? '';
  const stamp = fields.get('X-Amz-Date') ?? '';
  if (!/^\d{8}T\d{6}Z$/.test(stamp)) return refused;
  if (!same(signature(signer, stamp, policy), fields.get('X-Amz-Signature') ?? '')) return refused;
  const parsed = policySchema.safeParse(JSON.parse(Buffer.from(policy, 'base64').toString('utf8')));
  if (!parsed.success) return refused;
  if (new Date(parsed.data.expiration) <= now) {
    return refuse('expired', 'The time for this upload is over. Please choose the file again.');
  }
  let bytes = 0;
  for (const condition of parsed.data.conditions) {
    if (Array.isArray(condition)) bytes = condition[2];
    else if (Object.entries(condition).some(([name, value]) => fields.get(name) !== value)) return refused;
  }
  return ok({ key: fields.get('key') ?? '', bytes });
}

function signature(signer: PolicySigner, stamp: string, policy: string): string {
  const date = mac(`AWS4${signer.secret}`, stamp.slice(0, 8));
  const signingKey = mac(mac(mac(date, signer.region), 's3'), 'aws4_request');
  return mac(signingKey, policy).toString('hex');
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

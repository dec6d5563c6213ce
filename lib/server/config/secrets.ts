import 'server-only';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { startError } from '../base/start-error';
import type { Env } from './env';

const shape = z.object({ paymentWebhook: z.string().min(16), uploadSigning: z.string().min(16) });

/** Keys that sign webhooks and upload forms. */
export type Secrets = z.infer<typeof shape>;

/**
 * The secrets of the environment, or those of `DATA_DIR/secrets.json` (mode 0600), which is made once.
 * Throws when that file exists and cannot be read: new secrets would silently void what was signed with the old ones.
 */
export function readSecrets(env: Env): Secrets {
  const { PAYMENT_WEBHOOK_SECRET: paymentWebhookSecret, UPLOAD_SIGNING_SECRET: uploadSigningSecret } = env;
  if (paymentWebhookSecret && uploadSigningSecret) {
    return { paymentWebhook: paymentWebhookSecret, uploadSigning: uploadSigningSecret };
  }
  const kept = readOrMake(path.join(env.DATA_DIR, 'secrets.json'));
  return {
    paymentWebhook: paymentWebhookSecret ?? kept.paymentWebhook,
    uploadSigning: uploadSigningSecret ?? kept.uploadSigning,
  };
}

function readOrMake(file: string): Secrets {
  if (!fs.existsSync(file)) make(file);
  const parsed = shape.safeParse(parse(fs.readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw startError(
    `${file} is damaged. Put it back from a backup, or remove it to have new secrets made: upload forms and payment messages that were signed with the old ones are then refused.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Written aside and linked into place, so that two processes that start together agree on one file. */
function make(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const fresh: Secrets = {
    paymentWebhook: randomBytes(32).toString('hex'),
    uploadSigning: randomBytes(32).toString('hex'),
  };
  fs.writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.unlinkSync(draft);
  }
}

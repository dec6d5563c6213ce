import 'server-only';
import type { SandboxEvent, SandboxReversal } from '../../../contract/requests/sandbox';
import type { Context } from '../../context';
import type { Transaction } from '../../db/database';
import { enqueue } from '../../jobs/enqueue';
import { Postponed } from '../../jobs/postponed';
import type { Job, JobHandler } from '../../jobs/types';
import { SIGNATURE_HEADER, sign } from './signature';

const WAIT_MS = 10_000;
/** Until the next attempt where nobody answered at all. */
const UNREACHED_SECONDS = 3;

/** Tells of a payment, from the transaction that changed it on the provider's side. */
export async function announce(
  ctx: Context,
  tx: Transaction,
  event: Omit<SandboxEvent, 'id'> | Omit<SandboxReversal, 'id'>,
): Promise<void> {
  await enqueue(ctx, tx, { kind: 'sandbox.webhook', payload: { ...event, id: `evt_${ctx.ids.row()}` } });
}

/** Posts a webhook to this server's own address, signed afresh at each attempt, until it is taken. */
export const sendWebhook: JobHandler<Job<'sandbox.webhook'>> = {
  lane: 'light',
  maxAttempts: 12,
  leaseSeconds: 30,
  async run(ctx, job) {
    const body = new TextEncoder().encode(JSON.stringify(job.payload));
    const response = await ctx
      .fetch(`${ctx.env.SITE_URL}/api/v1/pay/webhook/sandbox`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: sign(ctx.secrets.paymentWebhook, ctx.now(), body),
        },
        redirect: 'error',
        signal: AbortSignal.timeout(WAIT_MS),
      })
      .catch((error: unknown) => {
        // A server that is starting or being replaced says nothing about the payment: it is told as soon as it answers.
        throw new Postponed('The webhook’s address does not answer.', UNREACHED_SECONDS, { cause: error });
      });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The webhook was answered with status ${response.status}.`);
    return null;
  },
};

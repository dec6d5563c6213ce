import 'server-only';
import { digest } from '../base/ids';
import { logWarning } from '../base/log';
import type { Context } from '../context';
import { announce, readAnnouncement } from '../db/announce';

/**
 * Tells the other processes of a PostgreSQL database under which address visitors reach this one, and says so where its keys are not
 * theirs: what one node signs the other would then refuse.
 */
export async function tellOthers(ctx: Context, isWeb: boolean): Promise<void> {
  if (ctx.handle.kind !== 'postgresql') return;
  const { db, env, secrets } = ctx;
  const keys = digest(`${secrets.paymentWebhook}:${secrets.uploadSigning}`);
  const told = await readAnnouncement(db, 'secrets');
  if (told !== null && told !== keys) {
    logWarning(
      'start',
      'PAYMENT_WEBHOOK_SECRET and UPLOAD_SIGNING_SECRET are not those that another process of this database had. Unless you are replacing them on every node, set the same ones: what one signs the others refuse.',
    );
  }
  await announce(db, 'secrets', keys, ctx.now());
  // An address that somebody set counts; the one that a node takes for want of it only where there is no other.
  if (isWeb) await announce(db, 'site-url', env.SITE_URL, ctx.now(), !process.env.SITE_URL);
}

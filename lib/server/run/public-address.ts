import 'server-only';
import { startError } from '../base/start-error';
import { type Env, parseEnv } from '../config/env';
import { readAnnouncement } from '../db/announce';
import { connect } from '../db/connect';
import { openPostgres } from '../db/postgres';

type Variables = Record<string, string | undefined>;

/**
 * The public address for a worker that is not told it: what the web nodes of its database wrote there. Mails would lead nowhere and the
 * sandbox's webhooks to a port of this machine without it, so there is no other. Throws a `StartError` when no web node has started yet.
 */
export async function publicAddressFor(variables: Variables): Promise<string> {
  const env: Env = parseEnv(variables);
  if (variables.SITE_URL || !env.DATABASE_URL) return env.SITE_URL;
  const handle = await openPostgres(env.DATABASE_URL, 1);
  try {
    // Before the first web node there is not even the table.
    const told = await readAnnouncement(connect(handle), 'site-url').catch(() => null);
    if (told !== null) return told;
  } finally {
    await handle.close();
  }
  throw startError(
    'This worker does not know the public address: set SITE_URL, or start a web node on this database first, which writes it there.',
  );
}

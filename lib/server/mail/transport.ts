import 'server-only';
import { createTransport } from 'nodemailer';
import { logError } from '../base/log';
import { startError } from '../base/start-error';
import type { Env } from '../config/env';

const WAIT_MS = 20_000;
const CHECK_MS = 8000;

/** A connection to the mail server; closed by whoever opened it. */
export function openTransport({ SMTP_URL: url = '' }: Env, waitMs = WAIT_MS) {
  return createTransport({ url, connectionTimeout: waitMs, greetingTimeout: waitMs, socketTimeout: waitMs });
}

/** What the start says of the mails. */
export function describeMail({ SMTP_URL: url, SITE_URL: site }: Env): string {
  return url ? `Mail: by SMTP, ${new URL(url).host}` : `Mail: kept in the outbox, ${site}/outbox`;
}

/**
 * Connects once, at the start, and signs in. Throws a `StartError` when name or password are refused; a sentence when the server does not
 * answer just now.
 */
export async function checkMail(env: Env): Promise<string | null> {
  if (!env.SMTP_URL) return null;
  const transport = openTransport(env, CHECK_MS);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAUTH') throw startError('The mail server refuses the name or the password in SMTP_URL.');
    logError('mail.check', 'The mail server could not be asked.', error);
    return 'it does not answer now; mails wait for it';
  } finally {
    transport.close();
  }
}

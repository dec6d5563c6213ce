import 'server-only';
import type { Outcome } from './refusal';
import { currentTrace, type Trace } from './trace';

/** What else a line says: numbers and short names. Never an address, a name, a token or the key to a file. */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Level = 'info' | 'warning' | 'error';
type Line = { level: Level; event: string; words: string; fields?: Fields | undefined; stack?: string | undefined };

/** What can be tried on the door of an account or of the server; each is named (lib/server/README.md, 32). */
export type SecurityAct =
  | 'sign-in'
  | 'sign-in.ticket'
  | 'sign-out'
  | 'registration'
  | 'password-reset'
  | 'erasure'
  | 'export'
  | 'webhook'
  | 'licence'
  | 'limit'
  | 'sandbox';

/** How it went. */
export type SecurityResult = 'done' | 'failed' | 'refused';

/** Says that something happened as it should. */
export function logInfo(event: string, words: string, fields?: Fields): void {
  write({ level: 'info', event, words, fields });
}

/** Says that somebody should look at something, though the work goes on. */
export function logWarning(event: string, words: string, fields?: Fields): void {
  write({ level: 'warning', event, words, fields });
}

/**
 * Says that something failed. A failed query is told by its cause alone: its message would hold the values, which are e-mail
 * addresses and hashes of keys.
 */
export function logError(event: string, words: string, error: unknown, fields?: Fields): void {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  write({
    level: 'error',
    event,
    words,
    fields,
    stack:
      cause === undefined
        ? undefined
        : withoutPersonal(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)),
  });
}

/** A security event: who watches the server sees by it what is tried at its doors. */
export function logSecurity(act: SecurityAct, result: SecurityResult, fields: Fields = {}): void {
  write({
    level: result === 'done' ? 'info' : 'warning',
    event: `security.${act}`,
    words: `Security: ${act}`,
    fields: { result, network: currentTrace().network, ...fields },
  });
}

/**
 * How an operation went, for its security event. What was not a try at all, such as a form with an empty field, is none; what a limit
 * refused was told by the limit, once.
 */
export function securityResult(outcome: Outcome<unknown>): SecurityResult | null {
  if (outcome.ok) return 'done';
  return ['invalidRequest', 'tooManyRequests', 'internal'].includes(outcome.error.name) ? null : 'failed';
}

/** Takes out what looks like an e-mail address, a query string, or a long key, which other people's errors may quote. */
export function withoutPersonal(text: string): string {
  return text
    .replace(/[^\s"'<>(),:;=/]+@[^\s"'<>(),:;=/]+\.[a-z]{2,}/gi, '[e-mail]')
    .replace(/\?[^\s"')]{8,}/g, '?[query]')
    .replace(/\b[0-9a-f]{32,}\b/gi, '[key]');
}

/** What went as it should goes to standard output, the rest to standard error; `LOG_FORMAT=json` makes each one JSON object on a line. */
function write(line: Line): void {
  const stream = line.level === 'info' ? process.stdout : process.stderr;
  stream.write(`${process.env.LOG_FORMAT === 'json' ? asJson(line) : asText(line)}\n`);
}

function asJson({ level, event, words, fields, stack }: Line): string {
  const { requestId, jobId }: Trace = currentTrace();
  return JSON.stringify({ time: new Date().toISOString(), level, event, words, requestId, jobId, ...fields, stack });
}

function asText({ words, fields, stack }: Line): string {
  const { requestId, jobId } = currentTrace();
  const said = Object.entries({ ...fields, request: requestId, job: jobId }).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [`${name} ${value}`],
  );
  // One event is one line, however its words were come by; only where an error came from takes more.
  const text = [words.replace(/[\r\n]+/g, ' '), said.length > 0 ? `(${said.join(', ')})` : '']
    .filter(Boolean)
    .join(' ');
  return stack ? `${text}\n${stack}` : text;
}

import 'server-only';
import * as z from 'zod/mini';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from './refusal';

/** Checks a value against its schema; the refusal names the first field that is missing or wrong, in plain words. */
export function check<T>(schema: z.core.$ZodType<T>, value: unknown): Outcome<T> {
  if (holdsNul(value)) return refuse('invalidRequest', 'The request holds a character that no text has.');
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  // A schema that gives words of its own (they end in a full stop) is quoted; zod's technical ones are not.
  if (issue?.message.endsWith('.')) return refuse('invalidRequest', issue.message);
  if (!issue || issue.path.length === 0) return refuse('invalidRequest');
  const field = issue.path.map(String).join('.');
  return refuse(
    'invalidRequest',
    isMissing(value, issue.path) ? `The field “${field}” is missing.` : `The field “${field}” is not right.`,
  );
}

/** True when a text anywhere in a value holds NUL, which PostgreSQL stores in none. No recursion: depth is the sender's. */
function holdsNul(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && next.includes('\0')) return true;
    if (typeof next === 'object' && next !== null) for (const entry of Object.entries(next)) left.push(...entry);
  }
  return false;
}

function isMissing(value: unknown, path: PropertyKey[]): boolean {
  let current: unknown = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return true;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current === undefined;
}

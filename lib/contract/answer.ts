import { SUCCESS } from './codes';
import type { Envelope } from './envelope';
import { type RefusalName, refusals } from './errors';

/** Builds the envelope of a success. */
export function success<T>(obj: T, msg = ''): Envelope<T> {
  return { success: SUCCESS, msg, obj };
}

/** Builds the envelope of a refusal; `msg` replaces the table's words where the caller knows better ones. */
export function refusal(name: RefusalName, msg?: string): Envelope<never> {
  return { success: refusals[name].code, msg: msg ?? refusals[name].msg, obj: null };
}

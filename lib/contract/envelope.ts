import { type RefusalName, refusals, SUCCESS } from './errors';

/** Every product-API answer (contract, "Envelope"): `success` is `"1"`, `"10009"` or another refusal's code. */
export type Envelope<T> = { success: string; msg: string; obj: T | null };

/** Builds the envelope of a success. */
export function success<T>(obj: T, msg = ''): Envelope<T> {
  return { success: SUCCESS, msg, obj };
}

/** Builds the envelope of a refusal; `msg` replaces the table's words where the caller knows better ones. */
export function refusal(name: RefusalName, msg?: string): Envelope<never> {
  return { success: refusals[name].code, msg: msg ?? refusals[name].msg, obj: null };
}

/** True when an unknown value has the envelope's shape; a numeric `success` is accepted, as some servers send it. */
export function isEnvelope(value: unknown): value is Envelope<unknown> {
  if (typeof value !== 'object' || value === null || !('success' in value)) return false;
  const { success: code } = value as { success: unknown };
  return typeof code === 'string' || typeof code === 'number';
}

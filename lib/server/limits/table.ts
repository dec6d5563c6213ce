import 'server-only';
import type { Limit } from './consume';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Every limit of the API. Sign-in and codes are limited by address and caller together, so that a stranger's failures
 * never lock an owner out; those by caller alone stop one caller from trying many addresses.
 */
export const limitTable = {
  signInPair: { name: 'sign-in-pair', points: 10, seconds: 15 * MINUTE },
  signInCaller: { name: 'sign-in-caller', points: 60, seconds: 15 * MINUTE },
  /** Never refuses: failures from everywhere on one address only slow its answers down. */
  signInAddress: { name: 'sign-in-address', points: 1_000_000, seconds: 15 * MINUTE },
  codePair: { name: 'code-pair', points: 5, seconds: 15 * MINUTE },
  codeCaller: { name: 'code-caller', points: 30, seconds: 15 * MINUTE },
  /** Guesses at one code from everywhere; then the code is worthless and a new one must be asked for. */
  codeGuesses: { name: 'code-guesses', points: 25, seconds: 15 * MINUTE },
  /**
   * Wrong codes for one address in a day, from everywhere and for however many codes: of a million codes that leaves a
   * guesser one chance in 20,000. It stops codes only; signing in by password goes on.
   */
  codeDay: { name: 'code-day', points: 50, seconds: DAY },
  mailPair: { name: 'mail-pair', points: 4, seconds: 15 * MINUTE },
  mailCaller: { name: 'mail-caller', points: 20, seconds: HOUR },
  mailAddress: { name: 'mail-address', points: 20, seconds: HOUR },
  orderCaller: { name: 'order-caller', points: 60, seconds: HOUR },
  /** Ids and keys that open nothing. Only misses count: a page that asks often, with an id that exists, is never stopped. */
  misses: { name: 'misses', points: 60, seconds: 15 * MINUTE },
  /** An office may be behind one address; each visitor in it has a share of their own. */
  uploadCaller: { name: 'upload-caller', points: 1200, seconds: HOUR },
  uploadVisitor: { name: 'upload-visitor', points: 120, seconds: HOUR },
  contactCaller: { name: 'contact-caller', points: 5, seconds: HOUR },
  eventCaller: { name: 'event-caller', points: 600, seconds: 10 * MINUTE },
  licenceCaller: { name: 'licence-caller', points: 30, seconds: HOUR },
} as const satisfies Record<string, Limit>;

import 'server-only';
import type { Changes } from '../db/changes';
import type { DatabaseHandle } from '../db/handle';
import type { LiveSession } from './find-session';

/** A session as it was read; good until `goodUntil` (milliseconds since 1970) unless something of its account changes. */
export type Remembered = { session: LiveSession; goodUntil: number };

/** A session that is being read. */
export type Reading = { keep(tokenHash: string, remembered: Remembered): void };

/** So many sessions are remembered; beyond them, those that were not asked for the longest are forgotten. */
const MOST = 10_000;

/**
 * The sessions that were asked for, by the hash of their token. All of an account's are forgotten when the database tells that something
 * of it changed: a session ended, a password was set, the account was erased, here or by another process.
 */
class SessionMemory {
  readonly #byToken = new Map<string, Remembered>();
  readonly #tokensOf = new Map<string, Set<string>>();
  readonly #changes: Changes;
  /** Counts what was forgotten, so that what was read before is not kept after it. */
  #forgotten = 0;

  constructor(handle: DatabaseHandle) {
    this.#changes = handle.watchAccounts((account) => this.forget(account));
  }

  /** True when what is remembered holds now. */
  isTrue(): boolean | Promise<boolean> {
    return this.#changes.areTold();
  }

  /** A remembered session. It holds only if it was asked for after {@link isTrue} said so. */
  find(tokenHash: string, now: number): LiveSession | null {
    const known = this.#byToken.get(tokenHash);
    if (!known || known.goodUntil <= now) return null;
    // Asked for last: at the end of the map's order.
    this.#byToken.delete(tokenHash);
    this.#byToken.set(tokenHash, known);
    return known.session;
  }

  /** To be called before a session is read: what is forgotten from then on makes its `keep` do nothing. */
  begin(): Reading {
    const before = this.#forgotten;
    return {
      keep: (tokenHash, remembered) => {
        if (before === this.#forgotten) this.#keep(tokenHash, remembered);
      },
    };
  }

  /** Forgets the sessions of an account, or all. */
  forget(account: string | null): void {
    this.#forgotten += 1;
    if (account === null) {
      this.#byToken.clear();
      this.#tokensOf.clear();
      return;
    }
    for (const tokenHash of this.#tokensOf.get(account) ?? []) this.#byToken.delete(tokenHash);
    this.#tokensOf.delete(account);
  }

  #keep(tokenHash: string, remembered: Remembered): void {
    this.#drop(tokenHash);
    this.#byToken.set(tokenHash, remembered);
    const account = remembered.session.user.id;
    this.#tokensOf.set(account, (this.#tokensOf.get(account) ?? new Set()).add(tokenHash));
    const [oldest] = this.#byToken.keys();
    if (this.#byToken.size > MOST && oldest !== undefined) this.#drop(oldest);
  }

  #drop(tokenHash: string): void {
    const account = this.#byToken.get(tokenHash)?.session.user.id;
    if (account === undefined) return;
    this.#byToken.delete(tokenHash);
    const tokens = this.#tokensOf.get(account);
    tokens?.delete(tokenHash);
    if (tokens?.size === 0) this.#tokensOf.delete(account);
  }
}

const memories = new WeakMap<DatabaseHandle, SessionMemory>();

/** The memory of a database's sessions. */
export function sessionMemory(handle: DatabaseHandle): SessionMemory {
  const known = memories.get(handle);
  if (known) return known;
  const made = new SessionMemory(handle);
  memories.set(handle, made);
  return made;
}

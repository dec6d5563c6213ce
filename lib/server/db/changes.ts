import 'server-only';
import { coalesced } from '../base/coalesce';
import type { DatabaseHandle } from './handle';
import { listenTo } from './listen';

/** The channel on which the database tells whose account or session changed (migration 0009). */
export const ACCOUNTS_CHANNEL = 'mendara_accounts';

/** The number of the account that changed; null where nobody knows what did. */
type OnChange = (account: string | null) => void;

/** What the database tells of changed accounts, whoever made the change: this process, another one, or somebody by hand. */
export type Changes = {
  /**
   * True when every change that was committed before this call has been told; false when that can't be known just now, as while the
   * connection is lost. Costs nothing on the embedded database, which tells before the change is answered.
   */
  areTold(): boolean | Promise<boolean>;
  stop(): Promise<void>;
};

/** Watches on PostgreSQL, over a connection of its own. */
export function watchPostgres(handle: DatabaseHandle, onChange: OnChange): Changes {
  const listening = listenTo(handle, ACCOUNTS_CHANNEL, onChange);
  // The server sends what was told before it answers what came after it, so an answer on that connection says that all is told.
  const ask = coalesced(() => listening.isCaughtUp());
  return {
    areTold: () => (listening.isHeard() ? ask() : false),
    stop: () => listening.stop(),
  };
}

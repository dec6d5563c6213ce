import 'server-only';
import type { Executor } from './database';

/**
 * A query whose text is written once for each database instead of at each call, since writing it takes as long as the engine needs for it.
 * Its values are given by name (`sql.placeholder`) when it runs. It has no name on the server, so that any pool may stand in between.
 * For a transaction, which is another one each time, the text is written each time.
 */
export function preparedOnce<Query>(make: (db: Executor) => Query): (db: Executor) => Query {
  const made = new WeakMap<Executor, Query>();
  return (db) => {
    const known = made.get(db) ?? make(db);
    made.set(db, known);
    return known;
  };
}

/** The name of every such query: none. */
export const UNNAMED = '';

import 'server-only';
import type { Executor } from './database';

/**
 * A query whose text is written once for each database instead of at each call, since writing it takes as long as the engine needs for it.
 * Its values are given by name (`sql.placeholder`) when it runs. PostgreSQL knows it by `name` on each connection, and reads and plans it
 * there once (PostgreSQL manual, "Extended Query"). For a transaction, which is another one each time, the text is written each time.
 */
export function preparedOnce<Query>(
  name: string,
  write: (db: Executor) => { prepare(name: string): Query },
): (db: Executor) => Query {
  const made = new WeakMap<Executor, Query>();
  return (db) => {
    const known = made.get(db) ?? write(db).prepare(name);
    made.set(db, known);
    return known;
  };
}

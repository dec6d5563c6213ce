import 'server-only';
import type { DatabaseHandle } from '../../db/handle';

/** A table with its columns, in the order of their names. */
export type Table = { name: string; columns: string[] };

/** Rows and what they hold, as one number of 128 bits in hex; the database works it out itself, from what it has stored. */
export type Fingerprint = { rows: number; hash: string };

/** Our own tables without rows of the product's: one commit at each start proves by it that the disk is written to. */
const NOT_MOVED = 'durability_check';

/** The product's tables, those that others refer to first. */
export async function tablesOf(handle: DatabaseHandle): Promise<Table[]> {
  const { rows } = await handle.query({
    text: `select table_name as name, array_to_json(array_agg(column_name::text order by column_name))::text as columns
           from information_schema.columns where table_schema = 'public' and table_name <> '${NOT_MOVED}'
           group by table_name order by table_name`,
  });
  const tables = rows.map(({ name, columns }) => ({
    name: String(name),
    columns: JSON.parse(String(columns)) as string[],
  }));
  const references = await handle.query({
    text: `select distinct owner.relname as name, other.relname as refers from pg_constraint
           join pg_class owner on owner.oid = conrelid join pg_class other on other.oid = confrelid
           where contype = 'f' and conrelid <> confrelid`,
  });
  const before = new Map<string, string[]>();
  for (const { name, refers } of references.rows) {
    before.set(String(name), [...(before.get(String(name)) ?? []), String(refers)]);
  }
  const sorted = new Map<string, Table>();
  const add = (table: Table) => {
    if (sorted.has(table.name)) return;
    for (const name of before.get(table.name) ?? []) {
      const needed = tables.find((candidate) => candidate.name === name);
      if (needed) add(needed);
    }
    sorted.set(table.name, table);
  };
  tables.forEach(add);
  return [...sorted.values()];
}

/** Has both databases write instants and numbers in the same way. */
export const SAME_TEXT = "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set extra_float_digits = 1";

/** What a table holds. `query` runs on the connection whose settings are {@link SAME_TEXT}. */
export async function fingerprintOf(query: DatabaseHandle['query'], { name, columns }: Table): Promise<Fingerprint> {
  const row = `md5(row(${columns.map(quoted).join(', ')})::text)`;
  const { rows } = await query({
    text: `select count(*)::text as count, coalesce(md5(string_agg(${row}, '' order by ${row})), '') as hash from ${quoted(name)}`,
  });
  return { rows: Number(rows[0]?.count), hash: String(rows[0]?.hash) };
}

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

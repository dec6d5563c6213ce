import 'server-only';
import type { Pool } from 'pg';
import { startError } from '../../base/start-error';
import type { DatabaseHandle } from '../../db/handle';
import { fingerprintOf, quoted, SAME_TEXT, type Table, tablesOf } from './tables';

/** Rows at once; each is as large as a mail or a report. */
const BATCH = 200;

/** What was moved: rows by table; null where it had been moved before. */
export type MovedRows = { rows: number; tables: number } | null;

/** In the new database: which installation it took in. Made by the move alone. */
const MARK = 'mendara_move';

/**
 * Copies every row of the embedded database into an empty one on PostgreSQL and compares what each of them says of every table, all in
 * one transaction: after a break nothing is there, and it is run again. Both have the tables of this version. `source` names the
 * installation. Throws a `StartError` where the new database holds something else.
 */
export async function moveRows(from: DatabaseHandle, to: DatabaseHandle, source: string): Promise<MovedRows> {
  const connection = await (to.client as Pool).connect();
  const query: DatabaseHandle['query'] = async ({ text, values }) => {
    const { rows, rowCount } = await connection.query(text, values ?? []);
    return { rows, rowCount: rowCount ?? 0 };
  };
  try {
    await query({
      text: `create table if not exists ${MARK} (source text primary key, moved_at timestamptz not null)`,
    });
    await query({ text: 'begin' });
    // Of two moves at once the second waits here, and finds what the first did.
    await query({ text: `lock table ${MARK} in exclusive mode` });
    const known = await query({ text: `select source from ${MARK}` });
    if (known.rows.some((row) => row.source === source)) {
      await query({ text: 'rollback' });
      return null;
    }
    const tables = await commonTables(from, to);
    await refuseFilled(query, tables, known.rows.length > 0);
    await from.query({ text: 'begin' });
    let rows = 0;
    for (const table of tables) rows += await moveTable(from, query, table);
    await adjustCounters(query, tables);
    await query({ text: `insert into ${MARK} values ($1, now())`, values: [source] });
    await query({ text: 'commit' });
    return { rows, tables: tables.length };
  } catch (error) {
    await query({ text: 'rollback' }).catch(() => undefined);
    throw error;
  } finally {
    await from.query({ text: 'rollback' }).catch(() => undefined);
    connection.release();
  }
}

async function commonTables(from: DatabaseHandle, to: DatabaseHandle): Promise<Table[]> {
  const isOurs = ({ name }: Table) => name !== MARK;
  const [here, there] = [(await tablesOf(from)).filter(isOurs), (await tablesOf(to)).filter(isOurs)];
  const said = (tables: readonly Table[]) => JSON.stringify([...tables].sort((a, b) => (a.name < b.name ? -1 : 1)));
  if (said(here) === said(there)) return there;
  throw startError('The new database has other tables than this version. Give the site one of its own.');
}

async function refuseFilled(query: DatabaseHandle['query'], tables: readonly Table[], isTaken: boolean): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await query({ text: `select 1 from ${quoted(name)} limit 1` });
    if (rows.length === 0) continue;
    const whose = isTaken ? 'It took in another installation before.' : 'Somebody uses it.';
    throw startError(`The new database is not empty: there are rows in ${name}. ${whose} Nothing was changed.`);
  }
}

/** Rows go as JSON that nobody reads on the way, so that no number loses a digit. */
async function moveTable(from: DatabaseHandle, query: DatabaseHandle['query'], table: Table): Promise<number> {
  const name = quoted(table.name);
  for (const statement of SAME_TEXT.split('; ')) {
    await from.query({ text: statement });
    await query({ text: statement });
  }
  await from.query({ text: `declare moving no scroll cursor for select row_to_json(t)::text as row from ${name} t` });
  for (;;) {
    const { rows } = await from.query({ text: `fetch ${BATCH} from moving` });
    if (rows.length === 0) break;
    await query({
      text: `insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`,
      values: [`[${rows.map(({ row }) => row).join(',')}]`],
    });
  }
  await from.query({ text: 'close moving' });
  const [before, after] = [await fingerprintOf(from.query, table), await fingerprintOf(query, table)];
  if (before.rows !== after.rows || before.hash !== after.hash) {
    throw startError(
      `The table ${table.name} did not arrive as it was: ${after.rows} of ${before.rows} rows, or another content. Nothing was changed.`,
    );
  }
  return after.rows;
}

/** What counts up by itself goes on behind the last number that was given. */
async function adjustCounters(query: DatabaseHandle['query'], tables: readonly Table[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns) {
      await query({
        text: `select setval(counter, coalesce((select max(${quoted(column)}::text::bigint) from ${quoted(name)}), 1))
               from pg_get_serial_sequence($1, $2) as counter where counter is not null`,
        values: [quoted(name), column],
      });
    }
  }
}

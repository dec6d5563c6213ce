import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openInMemory } from '@/lib/server/db/embedded';
import type { DatabaseHandle } from '@/lib/server/db/handle';

let handle: DatabaseHandle;
let ours: PGlite;
let plain: PGlite;

const table = `create table things (id text primary key, count int, share numeric, isGood boolean, at timestamptz, data jsonb, list text[], raw bytea)`;

beforeAll(async () => {
  handle = await openInMemory();
  ours = handle.client as PGlite;
  plain = await PGlite.create();
  for (const client of [ours, plain]) await client.exec(table);
});

afterAll(async () => {
  await handle.close();
  await plain.close();
});

const kept = async (like: string) => {
  const { rows } = await ours.query<{ statement: string }>('select statement from pg_prepared_statements');
  return rows.filter(({ statement }) => statement.includes(like)).length;
};

describe('A statement that comes again', () => {
  const insert = 'insert into things values ($1, $2, $3, $4, $5, $6, $7, $8) returning *';
  const rows = [
    ['a', 1, '1.50', true, new Date(0), { a: [1, 'zwei', null] }, ['x', 'y, "z"'], new Uint8Array([0, 1, 255])],
    ['b', null, null, null, null, null, null, null],
    ["c'; drop table things; --", -5, '0', false, '2026-02-03T04:05:06Z', [], [], new Uint8Array()],
  ];

  test.each(['object', 'array'] as const)('is answered as the library answers it, by rows as %s', async (rowMode) => {
    for (const client of [ours, plain]) await client.query('delete from things');
    for (const row of rows) {
      const [own, other] = await Promise.all([
        ours.query(insert, row, { rowMode }),
        plain.query(insert, row, { rowMode }),
      ]);
      expect(own).toEqual(other);
    }
    const read = 'select * from things where id = any($1::text[]) order by id';
    for (const ids of [['a'], ['a', 'b'], [], ['nobody']]) {
      expect(await ours.query(read, [ids], { rowMode })).toEqual(await plain.query(read, [ids], { rowMode }));
    }
    const change = 'update things set count = coalesce(count, 0) + $1 where id <> $2';
    for (const id of ['a', 'b', 'nobody']) {
      expect((await ours.query(change, [2, id])).affectedRows).toBe((await plain.query(change, [2, id])).affectedRows);
    }
  });

  test('is kept by the engine under a name, from the second time on', async () => {
    const text = 'select $1::int + 41 as sum';
    await ours.query(text, [1]);
    expect(await kept(text)).toBe(0);
    expect((await ours.query(text, [1])).rows).toEqual([{ sum: 42 }]);
    expect(await kept(text)).toBe(1);
  });

  test('fails as it did, and works again', async () => {
    await ours.query('delete from things');
    const text = 'insert into things (id) values ($1)';
    for (const id of ['one', 'two']) await ours.query(text, [id]);
    for (let time = 0; time < 3; time += 1) {
      await expect(ours.query(text, ['one'])).rejects.toMatchObject({ code: '23505', constraint: 'things_pkey' });
    }
    expect((await ours.query(text, ['three'])).affectedRows).toBe(1);
    const wrong = 'select $1::int / 0 as nothing';
    for (let time = 0; time < 3; time += 1) {
      await expect(ours.query(wrong, [1])).rejects.toMatchObject({ code: '22012' });
    }
    const unreadable = 'select from where';
    for (let time = 0; time < 3; time += 1) {
      await expect(ours.query(unreadable)).rejects.toMatchObject({ code: '42601' });
    }
  });

  test('belongs to the transaction in which it runs', async () => {
    await ours.query('delete from things');
    const text = 'insert into things (id) values ($1)';
    const put = (id: string) => ours.query(text, [id]);
    await put('before');
    const undone = ours.transaction(async (tx) => {
      await tx.query(text, ['inside']);
      await tx.query(text, ['inside too']);
      throw new Error('on second thoughts');
    });
    // Asked while the transaction is under way, so it waits.
    const meanwhile = put('meanwhile');
    await expect(undone).rejects.toThrow('on second thoughts');
    await meanwhile;
    await ours.transaction(async (tx) => {
      await tx.query(text, ['kept']);
    });
    const { rows } = await ours.query<{ id: string }>('select id from things order by id');
    expect(rows.map(({ id }) => id)).toEqual(['before', 'kept', 'meanwhile']);
  });

  test('is planned anew after many runs, and makes way for others', async () => {
    const text = 'select count(*)::int as count from things where id > $1';
    const count = async () => (await ours.query<{ count: number }>(text, [''])).rows[0]?.count;
    const first = await count();
    for (let run = 0; run < 1100; run += 1) expect(await count()).toBe(first);
    for (let other = 0; other < 200; other += 1) {
      for (let time = 0; time < 2; time += 1) {
        const { rows } = await ours.query<{ sum: number }>(`select $1::int + ${other} as sum`, [time]);
        expect(rows).toEqual([{ sum: time + other }]);
      }
    }
    expect(await kept('')).toBeLessThanOrEqual(121);
    expect(await count()).toBe(first);
  });

  test('asked by many at once each gets its own answer', async () => {
    const asked = Array.from({ length: 300 }, (_, index) => index);
    const answers = await Promise.all(
      asked.map(async (index) => {
        const { rows } = await ours.query<{ sum: number }>(`select $1::int + ${index % 150} as sum`, [index]);
        return rows[0]?.sum;
      }),
    );
    expect(answers).toEqual(asked.map((index) => index + (index % 150)));
  });

  test('reads fields by the tables of the call, before those of the client', async () => {
    const text = 'select $1::timestamptz as at, $2::int as count, $3::text as words';
    const values = ['2026-02-03T04:05:06Z', 7, 'sieben'];
    const parsers = { 1184: (value: string) => `at ${value}` };
    for (let time = 0; time < 3; time += 1) {
      expect(await ours.query(text, values, { parsers })).toEqual(await plain.query(text, values, { parsers }));
      expect(await ours.query(text, values)).toEqual(await plain.query(text, values));
    }
  });

  test('may give many rows and long ones', async () => {
    const text = `select n, repeat('Zürich 🙂', $1::int) as words from generate_series(1, $2::int) as n`;
    for (const sizes of [
      [1, 1],
      [1, 5000],
      [400_000, 3],
    ]) {
      expect(await ours.query(text, sizes)).toEqual(await plain.query(text, sizes));
    }
  });

  test('tells listeners before it is answered, until they no longer listen', async () => {
    const heard: string[] = [];
    const end = await ours.listen('things_changed', (payload) => heard.push(payload));
    const text = `select pg_notify('things_changed', $1)`;
    for (const payload of ['one', 'two', 'three']) {
      await ours.query(text, [payload]);
      expect(heard.at(-1)).toBe(payload);
    }
    await ours.transaction(async (tx) => {
      await tx.query(text, ['within']);
    });
    expect(heard).toEqual(['one', 'two', 'three', 'within']);
    await end();
    await ours.query(text, ['nobody hears']);
    expect(heard).toHaveLength(4);
  });

  test('is refused once the database is closed', async () => {
    const other = await openInMemory();
    const client = other.client as PGlite;
    for (let time = 0; time < 2; time += 1) await client.query('select 1');
    await other.close();
    await expect(client.query('select 1')).rejects.toThrow(/closed/);
  });
});

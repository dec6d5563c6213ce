import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '@/lib/server/db/embedded';
import { EngineTurns, laneOf } from '@/lib/server/db/engine-turns';
import type { DatabaseHandle } from '@/lib/server/db/handle';

/** Rounds of the event loop until `work` is done. */
async function rounds(work: Promise<unknown>): Promise<number> {
  let count = 0;
  let isDone = false;
  const end = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    count += 1;
  }
  await end;
  return count;
}

describe('turns at the engine', () => {
  it('one at a time, each lane in its order, and reads before the writes that came first', async () => {
    const turns = new EngineTurns();
    const done: string[] = [];
    let running = 0;
    const work = (name: string) => async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      done.push(name);
    };
    await Promise.all([
      ...['w1', 'w2', 'w3'].map((name) => turns.take('write', work(name))),
      ...['r1', 'r2'].map((name) => turns.take('read', work(name))),
    ]);
    expect(done).toEqual(['w1', 'r1', 'r2', 'w2', 'w3']);
  });

  it('a write waits for eight reads, however many there are', async () => {
    const turns = new EngineTurns();
    const done: string[] = [];
    const work = (name: string) => async () => void done.push(name);
    await Promise.all([
      turns.take('read', work('first')),
      turns.take('write', work('write')),
      ...Array.from({ length: 30 }, (_, index) => turns.take('read', work(`r${index}`))),
    ]);
    expect(done.indexOf('write')).toBe(9);
  });

  it('what fails gives its turn on', async () => {
    const turns = new EngineTurns();
    const failing = turns.take('write', () => Promise.reject(new Error('refused')));
    const next = turns.take('write', async () => 'done');
    await expect(failing).rejects.toThrow('refused');
    await expect(next).resolves.toBe('done');
  });

  it('the event loop goes round between two, also where they come one after another', async () => {
    const turns = new EngineTurns();
    const all = Array.from({ length: 20 }, () => turns.take('read', async () => null));
    expect(await rounds(Promise.all(all))).toBeGreaterThanOrEqual(19);
    const oneAfterAnother = async () => {
      for (let count = 0; count < 20; count += 1) await turns.take('read', async () => null);
    };
    expect(await rounds(oneAfterAnother())).toBeGreaterThanOrEqual(19);
  });

  it('only what begins with "select" is a read', () => {
    expect(laneOf('\n  SELECT 1')).toBe('read');
    expect(laneOf('with made as (insert into a values (1)) select 1')).toBe('write');
    expect(laneOf('selection')).toBe('write');
  });
});

describe('the embedded database', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-turns-'));
  let handle: DatabaseHandle;
  beforeAll(async () => {
    handle = await openEmbedded(folder);
  });
  afterAll(async () => {
    await handle.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('lets others be heard between the statements of those who wait', async () => {
    await handle.query({ text: 'create table numbers (n int)' });
    const reads = Array.from({ length: 30 }, () => handle.query({ text: 'select count(*) from numbers' }));
    expect(await rounds(Promise.all(reads))).toBeGreaterThanOrEqual(29);
  });

  it('lets others be heard within a transaction, which is one for everybody else', async () => {
    type Client = {
      transaction: (work: (tx: { query: (text: string) => Promise<unknown> }) => Promise<void>) => Promise<void>;
    };
    const client = handle.client as Client;
    const inserted = client.transaction(async (tx) => {
      for (let n = 0; n < 10; n += 1) await tx.query(`insert into numbers values (${n})`);
    });
    const seen = Array.from({ length: 5 }, () => handle.query({ text: 'select count(*)::int as n from numbers' }));
    expect(await rounds(inserted)).toBeGreaterThanOrEqual(10);
    for (const { rows } of await Promise.all(seen)) expect([0, 10]).toContain(rows[0]?.n);
    const { rows } = await handle.query({ text: 'select count(*)::int as n from numbers' });
    expect(rows).toEqual([{ n: 10 }]);
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openEmbedded } from '@/lib/server/db/embedded';
import type { DatabaseHandle } from '@/lib/server/db/handle';

const folders: string[] = [];
const newFolder = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-flush-'));
  folders.push(folder);
  return folder;
};

afterEach(() => {
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

async function open(folder: string): Promise<DatabaseHandle> {
  const handle = await openEmbedded(folder);
  await handle.query({ text: 'create table if not exists things (id int primary key)' });
  return handle;
}

const insert = (handle: DatabaseHandle, id: number) =>
  handle.query({ text: 'insert into things values ($1)', values: [id] });

type Flush = (descriptor: number, done: (error: NodeJS.ErrnoException | null) => void) => void;
const soon = (milliseconds = 50) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('commits of the embedded database', () => {
  it('are answered when they are on the disk and not before, and so is what reads them', async () => {
    const handle = await open(newFolder());
    const real = fs.fsync as Flush;
    const held: (() => void)[] = [];
    vi.spyOn(fs, 'fsync').mockImplementation(((descriptor, done) => {
      held.push(() => real(descriptor, done));
    }) as Flush as never);
    const told: string[] = [];
    const writing = insert(handle, 1).then(() => told.push('written'));
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const reading = handle
      .query({ text: 'select id from things' })
      .then(({ rows }) => told.push(`read ${rows.length}`));
    await soon();
    expect(told).toEqual([]);
    held[0]?.();
    await Promise.all([writing, reading]);
    expect([...told].sort()).toEqual(['read 1', 'written']);
    await handle.close();
  });

  it('that come together share a flush', async () => {
    const handle = await open(newFolder());
    const flushes = vi.spyOn(fs, 'fsync');
    await Promise.all(Array.from({ length: 60 }, (_, id) => insert(handle, id)));
    expect(flushes.mock.calls.length).toBeLessThan(30);
    expect(flushes.mock.calls.length).toBeGreaterThan(0);
    const { rows } = await handle.query({ text: 'select count(*)::int as n from things' });
    expect(rows).toEqual([{ n: 60 }]);
    await handle.close();
  });

  it('survive a power cut at any time, once they were answered', async () => {
    const folder = newFolder();
    const handle = await open(folder);
    await handle.query({ text: 'checkpoint' });
    const cluster = path.join(folder, 'cluster');
    const copy = newFolder();
    fs.cpSync(cluster, path.join(copy, 'cluster'), { recursive: true });
    // What the disk has for certain: each file of the log as it was when its last flush began.
    const onDisk = new Map<string, Buffer>();
    const fileOf = (descriptor: number) => fs.readlinkSync(`/proc/self/fd/${descriptor}`);
    const isLog = (file: string) => file.startsWith(path.join(cluster, 'pg_wal'));
    const { fsync, fsyncSync } = fs;
    vi.spyOn(fs, 'fsync').mockImplementation(((descriptor, done) => {
      const file = fileOf(descriptor);
      const now = fs.readFileSync(file);
      fsync(descriptor, (error) => {
        if (isLog(file)) onDisk.set(path.basename(file), now);
        done(error);
      });
    }) as Flush as never);
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      fsyncSync(descriptor);
      const file = fileOf(descriptor);
      if (isLog(file)) onDisk.set(path.basename(file), fs.readFileSync(file));
    });
    const answered: number[] = [];
    let cut: { answered: number[]; log: Map<string, Buffer> } | null = null;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < 12; round += 1) {
        const id = writer * 100 + round;
        await insert(handle, id);
        answered.push(id);
        if (answered.length === 50) cut = { answered: [...answered], log: new Map(onDisk) };
      }
    });
    await Promise.all(writers);
    vi.restoreAllMocks();
    await handle.close();
    const { answered: promised, log } = cut ?? { answered: [], log: new Map<string, Buffer>() };
    expect(promised).toHaveLength(50);
    for (const [name, bytes] of log) fs.writeFileSync(path.join(copy, 'cluster', 'pg_wal', name), bytes);
    const after = await openEmbedded(copy);
    const { rows } = await after.query({ text: 'select id from things' });
    const kept = new Set(rows.map(({ id }) => id));
    expect(promised.filter((id) => !kept.has(id))).toEqual([]);
    // The cut came in the middle: later ones were not on the disk yet.
    expect(kept.size).toBeLessThan(96);
    await after.close();
  });

  it('that the disk refuses are refused, and nothing is promised after that', async () => {
    const handle = await open(newFolder());
    const failing = vi.spyOn(fs, 'fsync').mockImplementation(((_descriptor, done) => {
      done(Object.assign(new Error('EIO'), { code: 'EIO' }));
    }) as Flush as never);
    await expect(insert(handle, 1)).rejects.toThrow('The disk refused');
    failing.mockRestore();
    await expect(insert(handle, 2)).rejects.toThrow('The disk refused');
    await expect(handle.query({ text: 'select 1' })).rejects.toThrow('The disk refused');
    await handle.close();
  });
});

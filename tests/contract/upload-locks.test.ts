import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '@/lib/server/base/ids';
import { connect } from '@/lib/server/db/connect';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { sweepLocks, UploadLocker } from '@/lib/server/uploads/resumable/locker';
import { embedded, postgresql } from './adapters';

const times = { pollMs: 30, leaseMs: 1000, patienceMs: 6000 };
const never = new AbortController().signal;
const adapters = [embedded, await postgresql()].filter((adapter) => adapter !== null);

describe.each(adapters)('locks of uploads on $name', (adapter) => {
  let handle: DatabaseHandle;
  /** A node of its own: it knows of the others by the table alone. */
  const node = () => new UploadLocker({ db: connect(handle), ids: randomIds }, times);
  const rows = async () => (await handle.query({ text: 'select id from upload_locks' })).rows.length;

  beforeAll(async () => {
    handle = await adapter.open();
  });
  afterAll(async () => {
    await handle.close();
    await adapter.stop();
  });

  it('are held by one at a time, whichever node asks', async () => {
    let inside = 0;
    let most = 0;
    const work = async (locker: UploadLocker) => {
      const lock = locker.newLock('one');
      await lock.lock(never, () => undefined);
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
      await lock.unlock();
    };
    await Promise.all(Array.from({ length: 8 }, () => work(node())));
    expect(most).toBe(1);
    expect(await rows()).toBe(0);
  });

  it('of different uploads do not wait for each other', async () => {
    const [a, b] = [node().newLock('a'), node().newLock('b')];
    await Promise.all([a.lock(never, () => undefined), b.lock(never, () => undefined)]);
    expect(await rows()).toBe(2);
    await Promise.all([a.unlock(), b.unlock()]);
  });

  it.each([
    ['another node', () => [node(), node()]],
    ['the same node', () => Array(2).fill(node())],
  ])('are let go when a sender comes back on %s', async (_where, nodes) => {
    const [first, second] = nodes() as [UploadLocker, UploadLocker];
    const held = first.newLock('back');
    let asked = 0;
    await held.lock(never, async () => {
      asked += 1;
      await held.unlock();
    });
    const wanted = second.newLock('back');
    await wanted.lock(never, () => undefined);
    expect(asked).toBeGreaterThan(0);
    // Whose lock it was cannot take it away again.
    await held.unlock();
    expect(await rows()).toBe(1);
    await wanted.unlock();
  });

  it('stay with a holder that goes on, and the one that waits is told to come again', async () => {
    const held = node().newLock('long');
    await held.lock(never, () => undefined);
    // Longer than a lease: it was renewed.
    const impatient = new UploadLocker({ db: connect(handle), ids: randomIds }, { ...times, patienceMs: 1500 });
    await expect(impatient.newLock('long').lock(never, () => undefined)).rejects.toMatchObject({ status_code: 500 });
    await held.unlock();
  });

  it('of a node that was killed are taken over when its lease is over', async () => {
    await handle.query({
      text: "insert into upload_locks values ('dead', 'somebody', false, now() + interval '1 second')",
    });
    const lock = node().newLock('dead');
    await lock.lock(never, () => undefined);
    await lock.unlock();
    await handle.query({
      text: "insert into upload_locks values ('old', 'somebody', false, now() - interval '2 hours')",
    });
    await sweepLocks({ db: connect(handle) });
    expect(await rows()).toBe(0);
  });

  it('tell a holder that has lost its own, as after a long pause', async () => {
    const held = node().newLock('lost');
    let told = false;
    await held.lock(never, () => {
      told = true;
    });
    await handle.query({ text: "update upload_locks set holder = 'another' where id = 'lost'" });
    await expect.poll(() => told, { timeout: 60_000 }).toBe(true);
    await held.unlock();
    expect(await rows()).toBe(1);
    await handle.query({ text: 'delete from upload_locks' });
  });
});

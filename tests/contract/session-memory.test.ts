import { eq } from 'drizzle-orm';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endAllSessions, endSessionOfToken } from '@/lib/server/accounts/end-session';
import { findSession } from '@/lib/server/accounts/find-session';
import { sessionMemory } from '@/lib/server/accounts/session-memory';
import { startSession } from '@/lib/server/accounts/start-session';
import { randomIds } from '@/lib/server/base/ids';
import type { Context } from '@/lib/server/context';
import { connect } from '@/lib/server/db/connect';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { openPostgres } from '@/lib/server/db/postgres';
import { sessions, users } from '@/lib/server/db/schema';
import { eraseUser } from '@/lib/server/erasure/erase-account';
import { startApi, type TestApi } from '../api/harness/api';
import { anyEmail, signedIn, signIn } from '../api/harness/people';
import { embedded, postgresql } from './adapters';

const real = await postgresql();
const adapters = real ? [embedded, real] : [embedded];

afterAll(() => real?.stop());

/** Statements that a handle's client was asked for, since a memory is known by what it does not ask. */
function counted(ctx: Context): { ctx: Context; asked: () => number } {
  let count = 0;
  const client = new Proxy(ctx.handle.client as object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'query') count += 1;
      return value.bind(target) as unknown;
    },
  });
  const handle: DatabaseHandle = { ...ctx.handle, client };
  return { ctx: { ...ctx, handle, db: connect(handle) }, asked: () => count };
}

/** Waits until a memory answers a second look without asking. */
async function remembered(ctx: Context, token: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await findSession(ctx, token)) {
      const isTrue = await sessionMemory(ctx.handle).isTrue();
      if (isTrue) {
        await findSession(ctx, token);
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('It is not remembered.');
}

describe.each(adapters)('sessions remembered on $name', (adapter) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({}, await adapter.open());
  });
  afterAll(() => api.close());

  const member = async () => {
    const id = randomIds.row();
    const email = anyEmail();
    await api.ctx.db.insert(users).values({ id, email, createdAt: api.ctx.now() });
    return { id, email, token: await startSession(api.ctx, api.ctx.db, id, '') };
  };

  it('are read once', async () => {
    const { token, email } = await member();
    const { ctx, asked } = counted(api.ctx);
    await remembered(ctx, token);
    const before = asked();
    for (let count = 0; count < 20; count += 1) expect((await findSession(ctx, token))?.user.email).toBe(email);
    expect(asked()).toBe(before);
  });

  it('never answer for somebody else', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, member));
    const looks = Array.from({ length: 400 }, (_, index) => people[index % people.length]);
    const found = await Promise.all(looks.map((who) => findSession(api.ctx, who?.token ?? '')));
    expect(found.map((session) => session?.user.email)).toEqual(looks.map((who) => who?.email));
    expect(await findSession(api.ctx, randomIds.secret())).toBeNull();
  });

  it('end at once when they are signed out, with every other of the account where all are', async () => {
    const { id, token } = await member();
    const other = await startSession(api.ctx, api.ctx.db, id, '');
    await remembered(api.ctx, token);
    await remembered(api.ctx, other);
    await endSessionOfToken(api.ctx, token);
    expect(await findSession(api.ctx, token)).toBeNull();
    expect(await findSession(api.ctx, other)).not.toBeNull();
    await api.ctx.db.transaction((tx) => endAllSessions(tx, id));
    expect(await findSession(api.ctx, other)).toBeNull();
  });

  it('end at once when the password changes and when the account is erased', async () => {
    const person = await signedIn(api);
    await remembered(api.ctx, person.token);
    const changed = await api.ask('PUT', '/user/password/reset', {
      token: person.token,
      body: { currentPassword: person.password, newPassword: 'quite another horse' },
    });
    expect(changed.status).toBe(200);
    expect((await api.ask('GET', '/sso/check', { token: person.token })).obj).toBeNull();
    const again = await signIn(api, person.email, 'quite another horse');
    await remembered(api.ctx, again);
    const [user] = await api.ctx.db.select().from(users).where(eq(users.id, person.id));
    if (!user) throw new Error('The account is gone.');
    expect((await eraseUser(api.ctx, user)).ok).toBe(true);
    expect((await api.ask('GET', '/sso/check', { token: again })).obj).toBeNull();
  });

  it('show a changed profile at once', async () => {
    const { token, id } = await member();
    await remembered(api.ctx, token);
    await api.ctx.db.update(users).set({ firstName: 'Ann' }).where(eq(users.id, id));
    expect((await findSession(api.ctx, token))?.user.firstName).toBe('Ann');
  });

  it('run out at their time', async () => {
    const { token } = await member();
    await remembered(api.ctx, token);
    api.pass(91 * 86_400_000);
    expect(await findSession(api.ctx, token)).toBeNull();
    api.pass(-91 * 86_400_000);
  });

  it('are not kept where a read began before a change', async () => {
    const { token, id } = await member();
    const memory = sessionMemory(api.ctx.handle);
    await memory.isTrue();
    const reading = memory.begin();
    const [row] = await api.ctx.db.select().from(users).where(eq(users.id, id));
    await endSessionOfToken(api.ctx, token);
    await memory.isTrue();
    if (!row) throw new Error('The account is gone.');
    reading.keep(token, { session: { id: 'late', user: row }, goodUntil: Number.POSITIVE_INFINITY });
    expect(memory.find(token, Date.now())).toBeNull();
  });

  it('never outlive a sign-out, however reads and sign-outs come together', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { token } = await member();
      let isOut = false;
      const looking = Array.from({ length: 6 }, async () => {
        while (!isOut) {
          await findSession(api.ctx, token);
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      await new Promise((resolve) => setTimeout(resolve, round % 5));
      await endSessionOfToken(api.ctx, token);
      const after = await Promise.all(Array.from({ length: 6 }, () => findSession(api.ctx, token)));
      isOut = true;
      await Promise.all(looking);
      expect(after).toEqual(after.map(() => null));
      expect(await findSession(api.ctx, token)).toBeNull();
    }
  });

  it('are written as seen now and then all the same', async () => {
    const { token, id } = await member();
    await remembered(api.ctx, token);
    const seen = async () => (await api.ctx.db.select().from(sessions).where(eq(sessions.userId, id)))[0]?.lastSeenAt;
    const before = await seen();
    api.pass(6 * 60_000);
    await findSession(api.ctx, token);
    expect((await seen())?.getTime()).toBeGreaterThan(before?.getTime() ?? 0);
  });
});

describe.skipIf(!real)('sessions remembered by several nodes', () => {
  let one: TestApi;
  let other: Context;
  const handles: DatabaseHandle[] = [];
  beforeAll(async () => {
    if (!real) return;
    const handle = await real.open();
    one = await startApi({}, handle);
    const second = await openPostgres(real.urlOf(handle), 5);
    handles.push(second);
    other = { ...one.ctx, handle: second, db: connect(second) };
  });
  afterAll(async () => {
    await Promise.all(handles.map((handle) => handle.close()));
    await one?.close();
  });

  const member = async () => {
    const id = randomIds.row();
    await one.ctx.db.insert(users).values({ id, email: anyEmail(), createdAt: one.ctx.now() });
    return { id, token: await startSession(one.ctx, one.ctx.db, id, '') };
  };

  it('end here in the moment in which the other one has signed them out', async () => {
    for (let round = 0; round < 40; round += 1) {
      const { token } = await member();
      await remembered(other, token);
      await endSessionOfToken(one.ctx, token);
      expect(await findSession(other, token)).toBeNull();
    }
  });

  it('are read anew while the connection on which changes are told is lost, and remembered again after it', async () => {
    const { token } = await member();
    await remembered(other, token);
    const pool = one.ctx.handle.client as Pool;
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' or query = 'select 1' and pid <> pg_backend_pid()",
    );
    await endSessionOfToken(one.ctx, token);
    expect(await findSession(other, token)).toBeNull();
    const { token: next } = await member();
    await remembered(other, next);
    const { ctx, asked } = counted(other);
    await remembered(ctx, next);
    const before = asked();
    await findSession(ctx, next);
    expect(asked()).toBe(before);
  });
});

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askServer, openForOperators } from '@/lib/cli/front/operators';
import { auditLog, contactMessages, jobs, mails, orders, stateHistory, users } from '@/lib/server/db/schema';
import { operate } from '@/lib/server/operations/commands';
import { keepLog } from '../support/log-lines';
import { startApi, type TestApi } from './harness/api';
import { repair } from './harness/files';
import { lastMail, signedIn, signIn } from './harness/people';
import { buy, order, statusOf } from './harness/shop';

let api: TestApi;
let log: ReturnType<typeof keepLog>;
const bundles = process.env.MENDARA_BUNDLE_DIR;
beforeEach(async () => {
  log = keepLog();
  process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
  api = await startApi();
});
afterEach(async () => {
  await api.close();
  log.stop();
  if (bundles === undefined) delete process.env.MENDARA_BUNDLE_DIR;
  else process.env.MENDARA_BUNDLE_DIR = bundles;
});

const run = (...words: string[]) => operate(api.ctx, 'jo', words);
async function done<T>(...words: string[]): Promise<T> {
  const outcome = await run(...words);
  if (!outcome.ok) throw new Error(`${words.join(' ')}: ${outcome.error.msg ?? outcome.error.name}`);
  return outcome.value as T;
}
async function refused(...words: string[]): Promise<string> {
  const outcome = await run(...words);
  expect(outcome.ok).toBe(false);
  return outcome.ok ? '' : `${outcome.error.name} ${outcome.error.msg ?? ''}`;
}
type Row = {
  number: string;
  status: string;
  reversedBy: string | null;
  licences: { licenceCode: string; expiredAt: Date | null }[];
};

describe('operators', () => {
  it('are told what a command wants where its words are too few or too many', async () => {
    expect(await refused('orders')).toContain('“orders” wants one NUMBER or ADDRESS behind it');
    expect(await refused('backup')).toContain('“backup” wants one FILE behind it');
    expect(await refused('refund', 'MD1', 'MD2', '--yes')).toContain('“refund” wants one NUMBER behind it');
    expect(await refused('mails', 'failed', 'x')).toContain('“mails failed” wants nothing behind it');
    expect(await refused('backup', '/nowhere/b.backup')).toContain('There is no folder /nowhere. Make it first.');
    for (const words of [[], ['mails'], ['toString']])
      expect(await refused(...words)).toContain('There is no such command.');
  });

  it('find orders by number and by address', async () => {
    const number = await buy(api, { email: 'buyer@mail.example' });
    await buy(api, { email: 'other@mail.example' });
    for (const asked of [number, number.toLowerCase(), 'Buyer@Mail.example']) {
      const found = await done<Row[]>('orders', asked);
      expect(found).toMatchObject([
        { number, status: 'success', licences: [{ licenceCode: expect.stringMatching(/^(\w{5}-?){4}$/) }] },
      ]);
    }
    expect(await done('orders', 'MD0')).toEqual([]);
  });

  it('give money back once: the licence ends, the buyer is told, and only when they are sure', async () => {
    const number = await buy(api, { email: 'buyer@mail.example' });
    expect(await refused('refund', number)).toMatch(/can’t be taken back: it gives the money .* Add --yes/);
    expect(await statusOf(api, number)).toBe('success');
    await done('refund', number, '--yes');
    const [found] = await done<Row[]>('orders', number);
    expect(found).toMatchObject({ status: 'cancelled', reversedBy: 'refund' });
    expect(found?.licences[0]?.expiredAt).not.toBeNull();
    expect((await lastMail(api, 'buyer@mail.example')).subject).toBe(`Order ${number} was refunded`);
    expect(await refused('refund', number, '--yes')).toMatch(/went back already/);
    const { orderId } = await order(api);
    expect(await refused('refund', orderId, '--yes')).toMatch(/was not paid/);
  });

  it('end a licence by its code, and leave the payment as it is', async () => {
    const number = await buy(api);
    const [before] = await done<Row[]>('orders', number);
    const code = before?.licences[0]?.licenceCode ?? '';
    await done('licence', 'end', code.toLowerCase(), '--yes');
    const [after] = await done<Row[]>('orders', number);
    expect(after).toMatchObject({ status: 'success', licences: [{ expiredAt: expect.any(Date), endedBy: null }] });
    expect(await refused('licence', 'end', number, '--yes')).toMatch(/no licence of it that still runs/);
    expect(log.text()).not.toContain(code);
  });

  it('see mails that could not be delivered and why, and send them again', async () => {
    await api.close();
    api = await startApi({ SMTP_URL: 'smtp://127.0.0.1:1' });
    await api.ask('POST', '/contact', { body: { name: 'J', email: 'j@mail.example', subject: 'S', message: 'M' } });
    await api.ctx.db.update(jobs).set({ failures: 9 }).where(eq(jobs.kind, 'mail.send'));
    await api.jobs(['light']);
    const [failed] = await done<{ id: string; said: string }[]>('mails', 'failed');
    expect(failed?.said).toMatch(/ECONNREFUSED/);
    expect(await done('jobs', 'dead')).toMatchObject([{ kind: 'mail.send', failures: 10 }]);
    await done('mail', 'resend', failed?.id ?? '');
    expect(await done('mails', 'failed')).toEqual([]);
    expect(await done('mails', 'queued')).toMatchObject([{ id: failed?.id }]);
    expect(await done('jobs', 'dead')).toEqual([]);
    // Its attempts begin anew: one more failure does not give it up.
    await api.jobs(['light']);
    expect(await done('jobs', 'failed')).toMatchObject([{ kind: 'mail.send', status: 'waiting', failures: 1 }]);
    await api.ctx.db.update(mails).set({ status: 'sent', text: '' });
    expect(await refused('mail', 'resend', failed?.id ?? '')).toMatch(/words were wiped/);
  });

  it('mail a buyer the link to an order', async () => {
    const number = await buy(api, { email: 'buyer@mail.example' });
    await done('mail', 'order', number);
    await api.jobs(['light']);
    expect((await lastMail(api, 'buyer@mail.example')).text).toContain('/order-lookup#');
  });

  it('read the report of a repair without its name, and have one that failed done again', async () => {
    const { taskId } = await repair(api, { name: 'my diary.pdf', bytes: randomBytes(9) });
    const shown = await done<Record<string, unknown>>('task', taskId);
    expect(shown).toMatchObject({ status: 'success', report: { verdict: expect.any(String) } });
    expect(JSON.stringify(shown)).not.toMatch(/diary|visitor|client/);
    expect(await done('task', String(shown.id))).toMatchObject({ id: shown.id });
    expect(await refused('job', 'retry', 'nothing')).toMatch(/no such job/);
  });

  it('export and erase an account for its holder', async () => {
    const { id, email } = await signedIn(api, 'holder@mail.example');
    expect(await done('account', 'export', email)).toMatchObject({
      profile: { email },
      sessions: [{ current: false }],
    });
    await done('account', 'erase', email, '--yes');
    expect(await api.ctx.db.select().from(users)).toEqual([]);
    expect(await refused('account', 'export', email)).toMatch(/no account/);
    expect(log.lines()).toContainEqual(
      expect.objectContaining({ event: 'security.erasure', account: id, by: 'operator' }),
    );
  });

  it('end every session of an account', async () => {
    const { id, email, token, password } = await signedIn(api, 'holder@mail.example');
    const other = await signIn(api, email, password);
    const bystander = await signedIn(api);
    await done('account', 'sign-out', email);
    for (const ended of [token, other]) {
      expect((await api.ask('GET', '/user/info', { token: ended })).envelope.success).toBe('10009');
    }
    expect((await api.ask('GET', '/user/info', { token: bystander.token })).envelope.success).toBe('1');
    expect(log.lines()).toContainEqual(
      expect.objectContaining({ event: 'security.sign-out', account: id, by: 'operator' }),
    );
  });

  it('leave a line in the audit log for each act, with numbers alone', async () => {
    const { id, email } = await signedIn(api, 'holder@mail.example');
    const number = await buy(api, { email });
    const { taskId } = await repair(api, { name: 'a.pdf', bytes: randomBytes(9) });
    for (const words of [['orders', email], ['account', 'export', email], ['task', taskId], ['queue'], ['disk']])
      await done(...words);
    await done('refund', number, '--yes');
    await run('refund', number, '--yes');
    const lines = await api.ctx.db.select().from(auditLog).orderBy(auditLog.id);
    expect(lines.map(({ actor, act, subject, result }) => [actor, act, subject, result])).toEqual([
      ['jo', 'orders', id, 'done'],
      ['jo', 'account export', id, 'done'],
      ['jo', 'task', '', 'done'],
      ['jo', 'queue', '', 'done'],
      ['jo', 'disk', '', 'done'],
      ['jo', 'refund', number, 'done'],
      ['jo', 'refund', number, 'conflict'],
    ]);
    expect(await done<unknown[]>('audit')).toHaveLength(8);
    for (const secret of [email, taskId]) expect(log.text()).not.toContain(secret);
  });

  it('are told what there is when they ask for what there is not', async () => {
    for (const words of [[], ['toString'], ['mails'], ['orders'], ['queue', 'now'], ['orders', 'a', 'b']])
      expect(await refused(...words)).toMatch(/(no such command\.|behind it)[\s\S]*refund NUMBER --yes/);
    expect(await api.ctx.db.select().from(auditLog)).toEqual([]);
  });
});

describe('the door for the command line', () => {
  it('opens by the key in a file for the owner alone, and is taken away with the server', async () => {
    const file = path.join(api.dataDir, 'operators.json');
    expect(await askServer(api.dataDir, { actor: 'jo', words: ['queue'] })).toBeNull();
    const door = await openForOperators(api.dataDir, ({ actor, words }) => operate(api.ctx, actor, words));
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(await askServer(api.dataDir, { actor: 'jo', words: ['queue'] })).toMatchObject({
      ok: true,
      value: [{ lane: 'light' }, {}, {}],
    });
    const { port } = JSON.parse(fs.readFileSync(file, 'utf8')) as { port: number };
    for (const authorization of ['', 'x'.repeat(43)]) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { authorization },
        body: '{"actor":"a","words":["queue"]}',
      });
      expect(answer.status).toBe(403);
    }
    const kept = fs.readFileSync(file);
    await new Promise((resolve) => door.close(resolve));
    expect(fs.existsSync(file)).toBe(false);
    // A server that was killed leaves its file.
    fs.writeFileSync(file, kept);
    expect(await askServer(api.dataDir, { actor: 'jo', words: ['queue'] })).toBeNull();
  });

  it('takes nothing from another program that has the port by now', async () => {
    for (const answer of ['HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n<p>Not here</p>', '220 mail ready\r\n']) {
      const other = net.createServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end(answer),
      );
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as net.AddressInfo;
      fs.writeFileSync(path.join(api.dataDir, 'operators.json'), JSON.stringify({ port, key: 'x'.repeat(43) }));
      expect(await askServer(api.dataDir, { actor: 'jo', words: ['queue'] })).toBeNull();
      await new Promise((resolve) => other.close(resolve));
    }
  });
});

describe('what has run out', () => {
  it('is deleted on its day: audit, messages, orders that nobody paid; paid ones stay', async () => {
    const paid = await buy(api, { email: 'buyer@mail.example' });
    const { orderId: unpaid } = await order(api);
    await api.ask('POST', '/contact', { body: { name: 'J', email: 'j@mail.example', subject: 'S', message: 'M' } });
    await done('queue');
    api.pass(3 * 86_400_000);
    const { ctx } = api;
    const sweep = async () => {
      await ctx.db.insert(jobs).values(
        ['sweep.orders', 'sweep.leftovers'].map((kind) => ({
          id: randomBytes(8).toString('hex'),
          kind,
          payload: {},
          status: 'waiting' as const,
          runAt: ctx.now(),
          createdAt: ctx.now(),
        })),
      );
      await api.jobs(['light']);
      await ctx.db.delete(jobs);
    };
    await sweep();
    const numbers = async () => (await ctx.db.select({ id: orders.id }).from(orders)).map(({ id }) => id).sort();
    expect(await numbers()).toEqual([paid, unpaid].sort());
    expect(await ctx.db.select().from(contactMessages)).toHaveLength(1);
    api.pass(400 * 86_400_000);
    await sweep();
    expect(await numbers()).toEqual([paid]);
    expect(await ctx.db.select().from(contactMessages)).toEqual([]);
    expect(await ctx.db.select().from(stateHistory).where(eq(stateHistory.subjectId, unpaid))).toEqual([]);
    expect(await ctx.db.select().from(auditLog)).toHaveLength(1);
    api.pass(400 * 86_400_000);
    await sweep();
    expect(await ctx.db.select().from(auditLog)).toEqual([]);
  });
});

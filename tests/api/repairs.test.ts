import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepairTask } from '@/lib/contract/repair';
import { jobs } from '@/lib/server/db/schema';
import { startJobLoop } from '@/lib/server/jobs/loop';
import { handlers } from '@/lib/server/run/handlers';
import { startApi, type TestApi } from './harness/api';
import { bytesOf, repair, taskOf, upload } from './harness/files';

let api: TestApi;
beforeAll(async () => {
  process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
  api = await startApi();
});
afterAll(() => api.close());

const sample = (name: string) => ({ name, bytes: bytesOf(`content of ${name}`) });

async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It took too long.');
}

describe('a repair', () => {
  it('ends in a report and a file under a name that tells', async () => {
    const task = await repair(api, sample('Überweisung.pdf'));
    expect(task).toMatchObject({ status: 'success', downloadName: 'Überweisung-repaired.pdf', queuePosition: null });
    expect(task.report?.verdict).toBe('repaired');
    const file = await api.send('GET', `/repair/tasks/${task.taskId}/file`);
    expect(await file.text()).toBe('content of Überweisung.pdf repaired');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="_berweisung-repaired.pdf"; filename*=UTF-8''%C3%9Cberweisung-repaired.pdf`,
    );
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
  });

  it.each([
    ['bytes=0-6', 206, 'content', 'bytes 0-6/25'],
    ['bytes=16-', 206, ' repaired', 'bytes 16-24/25'],
    ['bytes=-8', 206, 'repaired', 'bytes 17-24/25'],
    ['bytes=25-', 416, '', 'bytes */25'],
    ['bytes=0-1,3-4', 200, 'content of a.pdf repaired', null],
    ['lines=1-2', 200, 'content of a.pdf repaired', null],
  ])('is fetched in ranges: %s', async (range, status, text, contentRange) => {
    const task = await repair(api, sample('a.pdf'));
    const file = await api.send('GET', `/repair/tasks/${task.taskId}/file`, { headers: { range } });
    expect(file.status).toBe(status);
    expect(await file.text()).toBe(text);
    expect(file.headers.get('content-range')).toBe(contentRange);
  });

  it('is fetched whole where a part is asked for by a mark that it never had', async () => {
    const task = await repair(api, sample('a.pdf'));
    const headers = { range: 'bytes=0-6', 'if-range': '"of another file"' };
    const file = await api.send('GET', `/repair/tasks/${task.taskId}/file`, { headers });
    expect([file.status, await file.text()]).toEqual([200, 'content of a.pdf repaired']);
  });

  it('returns a healthy file byte for byte under its own name', async () => {
    const task = await repair(api, sample('healthy.pdf'));
    expect(task).toMatchObject({ status: 'success', downloadName: 'healthy.pdf' });
    const file = await api.send('GET', `/repair/tasks/${task.taskId}/file`);
    expect(await file.text()).toBe('content of healthy.pdf');
  });

  it('says so when nothing can be done', async () => {
    const task = await repair(api, sample('hopeless.pdf'));
    expect(task).toMatchObject({ status: 'failure', downloadUrl: null });
    expect(task.report?.verdict).toBe('unrepairable');
    expect((await api.ask('GET', `/repair/tasks/${task.taskId}/file`)).status).toBe(409);
  });

  it('fails clearly when it takes too long or too much memory', async () => {
    const hurried = await startApi({ REPAIR_TIMEOUT_SECONDS: '1' });
    const slow = await repair(hurried, sample('endless.pdf'));
    expect(slow.status).toBe('failure');
    expect(slow.report?.notes[0]).toContain('took longer');
    await hurried.close();
    const large = await repair(api, sample('memory.pdf'));
    expect(large.report?.notes[0]).toContain('more memory');
  });

  it('is tried again after a crash, three times in all', async () => {
    const task = await repair(api, sample('crash.pdf'));
    expect(task.status).toBe('waiting');
    for (const attempt of [2, 3]) {
      api.pass(60_000);
      await api.jobs(['repair']);
      expect((await taskOf(api, task.taskId)).status).toBe(attempt === 3 ? 'failure' : 'waiting');
    }
    expect((await taskOf(api, task.taskId)).report?.notes[0]).toContain('ended unexpectedly');
    expect(fs.readdirSync(path.join(api.dataDir, 'results')).filter((name) => name.endsWith('.3'))).toEqual([]);
  });

  it('starts once, and only when the file is there', async () => {
    const taskId = await upload(api, sample('b.pdf'));
    await Promise.all([1, 2, 3].map(() => api.ask('POST', `/repair/tasks/${taskId}`)));
    const rows = await api.ctx.db.select().from(jobs).where(eq(jobs.kind, 'repair.quick'));
    expect(rows.filter((row) => row.status === 'waiting')).toHaveLength(1);
    await api.jobs(['repair']);
    const again = await api.ask<RepairTask>('POST', `/repair/tasks/${taskId}`);
    expect(again.obj.status).toBe('success');
  });

  it('tells the place in the queue', async () => {
    const ids: string[] = [];
    for (const name of ['c.pdf', 'd.pdf', 'e.pdf']) {
      const id = await upload(api, sample(name));
      await api.ask('POST', `/repair/tasks/${id}`);
      api.pass(1000);
      ids.push(id);
    }
    const places = await Promise.all(ids.map(async (id) => (await taskOf(api, id)).queuePosition));
    expect(places).toEqual([1, 2, 3]);
    await api.jobs(['repair']);
  });
});

describe('the loop', () => {
  it('repairs without being asked twice, and hands a running repair back when it stops', async () => {
    const own = await startApi();
    const loop = startJobLoop(own.ctx, handlers);
    const quick = await upload(own, sample('quick.pdf'));
    await own.ask('POST', `/repair/tasks/${quick}`);
    await until(
      () => taskOf(own, quick),
      (task) => task.status === 'success',
    );
    const slow = await upload(own, sample('once.pdf'));
    await own.ask('POST', `/repair/tasks/${slow}`);
    await until(
      async () => fs.readdirSync(path.join(own.dataDir, 'uploads')),
      (names) => names.some((name) => name.endsWith('.mark')),
    );
    expect((await taskOf(own, slow)).status).toBe('running');
    await loop.stop();
    // Not waited for: whoever does finds it done.
    expect((await taskOf(own, slow)).status).toBe('waiting');
    await own.jobs(['repair']);
    expect((await taskOf(own, slow)).status).toBe('success');
    await own.close();
  });

  it('publishes nothing of a repair that was deleted while it ran', async () => {
    const own = await startApi();
    const taskId = await upload(own, sample(`once ${randomBytes(2).toString('hex')}.pdf`));
    await own.ask('POST', `/repair/tasks/${taskId}`);
    const loop = startJobLoop(own.ctx, handlers);
    await until(
      () => taskOf(own, taskId),
      (task) => task.status === 'running',
    );
    await own.ask('DELETE', `/repair/tasks/${taskId}`);
    expect((await taskOf(own, taskId)).status).toBe('deleted');
    await loop.stop();
    expect((await taskOf(own, taskId)).status).toBe('deleted');
    expect(fs.readdirSync(path.join(own.dataDir, 'results'))).toEqual([]);
    await own.close();
  });
});

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstallerRow } from '@/lib/contract/downloads';
import { digest } from '@/lib/server/base/ids';
import { makeDemonstrationInstallers } from '@/lib/server/downloads/demonstration';
import { resultKey, uploadKey } from '@/lib/server/objects/port';
import { operate } from '@/lib/server/operations/commands';
import { sweepFiles } from '@/lib/server/repairs/sweep-files';
import { startTestStore, type TestStore } from '../support/s3/server';
import { startApi, type TestApi } from './harness/api';
import { askForForm, bytesOf, fill, type Sample, taskOf } from './harness/files';

let store: TestStore;
let api: TestApi;
beforeAll(async () => {
  process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
  store = await startTestStore();
  api = await startApi(store.variables);
});
afterAll(async () => {
  await api.close();
  await store.close();
});

/** As the browser does: a place, then the form straight to the store. */
async function send(sample: Sample): Promise<string> {
  const { obj } = await askForForm(api, sample);
  expect(obj.upload.url.startsWith(`${store.endpoint}/`)).toBe(true);
  const sent = await fetch(obj.upload.url, {
    method: 'POST',
    body: fill(obj.upload.fields, sample.bytes, sample.name),
  });
  expect(sent.status).toBe(204);
  return obj.taskId;
}

const start = (taskId: string) => api.ask('POST', `/repair/tasks/${taskId}`);
const isThere = async (taskId: string) => (await api.ctx.objects.head(uploadKey(digest(taskId)))) !== null;

describe('a repair on an S3 store', () => {
  it('is uploaded to it, worked on, and fetched from it by a link that lives minutes', async () => {
    const taskId = await send({ name: 'paper.pdf', bytes: bytesOf('content of it') });
    expect((await start(taskId)).status).toBe(200);
    await api.jobs(['repair']);
    expect(await taskOf(api, taskId)).toMatchObject({ status: 'success', downloadName: 'paper-repaired.pdf' });
    const answer = await api.send('GET', `/repair/tasks/${taskId}/file`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
    const address = answer.headers.get('location') ?? '';
    const file = await fetch(address);
    expect(await file.text()).toBe('content of it repaired');
    expect(file.headers.get('content-disposition')).toContain('filename="paper-repaired.pdf"');
    const head = await api.send('HEAD', `/repair/tasks/${taskId}/file`);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '22']);
    store.pass(301_000);
    expect((await fetch(address)).status).toBe(403);
    store.pass(-301_000);
    // Nothing of it stays on the disk of the worker.
    expect(fs.readdirSync(path.join(api.dataDir, 'work'))).toEqual([]);
    expect(fs.existsSync(path.join(api.dataDir, 'uploads'))).toBe(false);
  });

  it('does not begin before the file is there', async () => {
    const { obj } = await askForForm(api, { name: 'late.pdf', bytes: bytesOf('content') });
    expect(await start(obj.taskId)).toMatchObject({ status: 409, envelope: { msg: 'The file has not arrived yet.' } });
    expect((await taskOf(api, obj.taskId)).status).toBe('uploading');
  });

  it.each([
    ['a program', { name: 'paper.pdf', bytes: bytesOf('MZ and the rest of a program') }, /a program for Windows/],
    [
      'no video',
      { name: 'film.mp4', type: 17 as const, bytes: bytesOf('only words\n'.repeat(2000)) },
      /no video: it is a text file/,
    ],
  ])('does not begin with %s, which goes from the store', async (_what, sample, words) => {
    const taskId = await send(sample);
    const answer = await start(taskId);
    expect(answer.status).toBe(415);
    expect(answer.envelope.msg).toMatch(words);
    expect(await isThere(taskId)).toBe(false);
  });

  it('takes no form itself', async () => {
    const { body, headers } = new Response(fill({ key: 'a' }, bytesOf('x')));
    const answer = await api.send('POST', '/oss/upload', {
      rawBody: body ?? '',
      headers: { 'content-type': headers.get('content-type') ?? '' },
    });
    expect(answer.status).toBe(404);
  });

  it('is deleted at once on the visitor’s word, upload and result', async () => {
    const taskId = await send({ name: 'gone.pdf', bytes: bytesOf('content') });
    await start(taskId);
    await api.jobs(['repair']);
    const { rows } = await api.ctx.handle.query({
      text: 'select result_file from repair_tasks where id = $1',
      values: [digest(taskId)],
    });
    const key = resultKey(String(rows[0]?.result_file));
    expect(await api.ctx.objects.head(key)).not.toBeNull();
    await api.ask('DELETE', `/repair/tasks/${taskId}`);
    expect([await isThere(taskId), await api.ctx.objects.head(key)]).toEqual([false, null]);
  });

  it('is deleted by the sweep within 24 hours', async () => {
    const taskId = await send({ name: 'old.pdf', bytes: bytesOf('content') });
    await start(taskId);
    api.pass(24 * 3_600_000);
    await sweepFiles.run(
      api.ctx,
      { id: 'x', kind: 'sweep.files', payload: {}, attempt: 1, failures: 0 },
      new AbortController().signal,
    );
    expect(await isThere(taskId)).toBe(false);
    api.pass(-24 * 3_600_000);
  });

  it('waits for a store that is ill for a while', async () => {
    const taskId = await send({ name: 'patient.pdf', bytes: bytesOf('content') });
    await start(taskId);
    // More often than a repair may fail by its own fault.
    for (let tries = 0; tries < 4; tries += 1) {
      store.fail('GET', 40);
      await api.jobs(['repair']);
      expect((await taskOf(api, taskId)).status).toBe('waiting');
      api.pass(600_000);
    }
    store.fail('GET', 0);
    api.pass(600_000);
    await api.jobs(['repair']);
    expect((await taskOf(api, taskId)).status).toBe('success');
  });
});

describe('on an S3 store', () => {
  it('installers lie in it, and are read and fetched from it', async () => {
    await makeDemonstrationInstallers(api.ctx.objects);
    const { obj } = await api.ask<InstallerRow[]>('GET', '/recovery/installers');
    expect(obj.find(({ website, os }) => website === 'recovery' && os === 'win')).toMatchObject({
      demonstration: true,
    });
    const answer = await api.send('GET', '/recovery/files/recovery-win.exe?uuid=abc');
    const file = await fetch(answer.headers.get('location') ?? '');
    expect(await file.text()).toContain('This is a demonstration file');
    expect(file.headers.get('content-disposition')).toMatch(/filename="mendara-data-recovery_abc\.exe"/);
  });

  it('operators set its rules and check them', async () => {
    const ask = async (word: string) => operate(api.ctx, 'tester', ['objects', word]);
    expect(await ask('check')).toMatchObject({ ok: true, value: { written: true, expiry: false, forms: false } });
    expect(await ask('rules')).toMatchObject({ ok: true, value: { expiry: true, forms: true } });
    expect(await ask('check')).toMatchObject({ ok: true, value: { expiry: true, forms: true } });
  });

  it('readiness tells when it can’t be written to', async () => {
    expect((await api.ask('GET', '/health?ready=1')).status).toBe(200);
    api.pass(2000);
    store.fail('PUT', 40);
    const answer = await api.ask('GET', '/health?ready=1');
    expect(answer.envelope.msg).toMatch(/The object store can’t be written to|object store/);
    store.fail('PUT', 0);
  });
});

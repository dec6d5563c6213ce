import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { UploadSignature } from '@/lib/contract/repair';
import { digest } from '@/lib/server/base/ids';
import { uploadKey } from '@/lib/server/objects/port';
import { sweepFiles } from '@/lib/server/repairs/sweep-files';
import { startTestStore, type TestStore } from '../support/s3/server';
import { startApi, type TestApi } from './harness/api';
import { askForForm, taskOf } from './harness/files';

const MB = 2 ** 20;
/** Bytes that differ everywhere, so that a piece in the wrong place is seen. */
const content = Buffer.from(Array.from({ length: 7 * MB }, (_, index) => (index * 31 + (index >> 8) * 17) & 0xff));
const film = { name: 'film.mp4', type: 17 as const, bytes: content };

let server: TestStore | undefined;
const adapters = [
  { name: 'the disk', variables: async (): Promise<Record<string, string>> => ({}) },
  {
    name: 'an S3 store',
    async variables() {
      server = await startTestStore();
      return server.variables;
    },
  },
];

describe.each(adapters)('an upload in pieces on $name', ({ variables }) => {
  let api: TestApi;
  beforeAll(async () => {
    process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
    api = await startApi({ ...(await variables()), UPLOAD_RESUMABLE_MB: '1' });
  });
  afterAll(async () => {
    await api.close();
    await server?.close();
    server = undefined;
  });

  const place = async (bytes = content) => (await askForForm(api, { ...film, bytes })).obj;
  const address = ({ upload }: UploadSignature) => new URL(upload.url).pathname.replace('/api/v1', '');
  const headers = ({ upload }: UploadSignature) => ({ 'tus-resumable': '1.0.0', ...upload.fields });
  const offset = async (signature: UploadSignature) => {
    const answer = await api.send('HEAD', address(signature), { headers: headers(signature) });
    return [answer.status, Number(answer.headers.get('upload-offset'))];
  };
  const patch = (signature: UploadSignature, from: number, body: Uint8Array<ArrayBuffer> | ReadableStream, more = {}) =>
    api.send('PATCH', address(signature), {
      rawBody: body,
      headers: {
        ...headers(signature),
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(from),
        ...(body instanceof Uint8Array ? { 'content-length': String(body.length) } : {}),
        ...more,
      },
    });
  const part = (from: number, to = content.length, of = content) => new Uint8Array(of.subarray(from, to));
  const lies = async ({ taskId }: UploadSignature) => {
    const keys: string[] = [];
    for await (const { key } of api.ctx.objects.list('uploads')) if (key.includes(digest(taskId))) keys.push(key);
    return keys;
  };
  const sweep = () =>
    sweepFiles.run(
      api.ctx,
      { id: 'x', kind: 'sweep.files', payload: {}, attempt: 1, failures: 0 },
      new AbortController().signal,
    );

  it('is what a large file is given, and a small one the form', async () => {
    const large = await place();
    expect(large.upload.method).toBe('TUS');
    expect(Object.keys(large.upload.fields)).toEqual(['upload-ticket']);
    expect(large.upload.url).not.toContain(large.taskId);
    expect((await place(Buffer.alloc(MB, 1))).upload.method).toBe('POST');
  });

  it('arrives piece by piece, is joined, and is repaired', async () => {
    const signature = await place();
    expect(await offset(signature)).toEqual([200, 0]);
    for (const [from, to] of [
      [0, 100],
      [100, 6 * MB],
      [6 * MB, content.length],
    ] as const) {
      expect(await offset(signature)).toEqual([200, from]);
      const answer = await patch(signature, from, part(from, to));
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(to)]);
    }
    // The last answer may have been lost: it is asked for again.
    expect(await offset(signature)).toEqual([200, content.length]);
    expect(await lies(signature)).toEqual([uploadKey(digest(signature.taskId))]);
    const same = await api.ctx.objects.lend(uploadKey(digest(signature.taskId)), api.dataDir, async (file) =>
      fs.readFileSync(file ?? '').equals(content),
    );
    expect(same).toBe(true);
    expect((await api.ask('POST', `/repair/tasks/${signature.taskId}`)).status).toBe(200);
    await api.jobs(['repair']);
    expect((await taskOf(api, signature.taskId)).status).toBe('success');
  });

  it('is finished by the next question when the server ended just before it could', async () => {
    const signature = await place();
    const ends = vi.spyOn(api.ctx.objects, 'head').mockRejectedValueOnce(new Error('the server ends'));
    expect((await patch(signature, 0, part(0))).status).toBe(500);
    ends.mockRestore();
    expect(
      (
        await api.ctx.handle.query({
          text: 'select id from repair_tasks where uploaded_at is null and id = $1',
          values: [digest(signature.taskId)],
        })
      ).rows,
    ).toHaveLength(1);
    expect(await offset(signature)).toEqual([200, content.length]);
    expect((await api.ask('POST', `/repair/tasks/${signature.taskId}`)).status).toBe(200);
  });

  it('does not begin its repair before it is whole', async () => {
    const signature = await place();
    await patch(signature, 0, part(0, 6 * MB));
    expect((await api.ask('POST', `/repair/tasks/${signature.taskId}`)).status).toBe(409);
    expect((await offset(signature))[1]).toBe(6 * MB);
    expect((await patch(signature, 6 * MB, part(6 * MB))).status).toBe(204);
  });

  it('keeps what came before the line broke, and goes on from there', async () => {
    const signature = await place();
    const chunk = 256 * 1024;
    let sent = 0;
    const body = new ReadableStream({
      async pull(controller) {
        if (sent >= 6 * MB) {
          await new Promise((resolve) => setTimeout(resolve, 300));
          controller.error(new Error('the line is gone'));
          return;
        }
        controller.enqueue(part(sent, sent + chunk));
        sent += chunk;
      },
    });
    await patch(signature, 0, body);
    const [status, kept = 0] = await offset(signature);
    expect(status).toBe(200);
    // A store that takes parts of a certain size only has what is whole of them.
    expect(kept).toBe(api.ctx.objects.kind === 'disk' ? 6 * MB : 0);
    expect((await patch(signature, kept, part(kept))).status).toBe(204);
    expect(await offset(signature)).toEqual([200, content.length]);
  });

  it('is let go by a request that only seems to go on when its sender comes back', async () => {
    const signature = await place();
    let isEnded = false;
    const dead = new ReadableStream({
      start(controller) {
        controller.enqueue(part(0, 100));
      },
    });
    const first = patch(signature, 0, dead).finally(() => {
      isEnded = true;
    });
    const isHeld = async () => (await api.ctx.handle.query({ text: 'select id from upload_locks' })).rows.length;
    await expect.poll(isHeld, { timeout: 20_000 }).toBe(1);
    expect(isEnded).toBe(false);
    const [status, kept = 0] = await offset(signature);
    expect(status).toBe(200);
    // On a busy machine the store may not have come to writing them.
    expect([0, 100]).toContain(kept);
    await first;
    expect((await patch(signature, kept, part(kept))).status).toBe(204);
  });

  it('refuses another offset, and changes nothing', async () => {
    const signature = await place();
    await patch(signature, 0, part(0, 1000));
    expect((await patch(signature, 0, part(0, 1000))).status).toBe(409);
    expect((await patch(signature, 2000, part(2000, 3000))).status).toBe(409);
    expect((await offset(signature))[1]).toBe(1000);
  });

  it('refuses more than was announced, while it comes in', async () => {
    const signature = await place();
    const longer = Buffer.concat([content, Buffer.from('more')]);
    expect((await patch(signature, 0, part(0, longer.length, longer))).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(part(0, longer.length, longer));
        controller.close();
      },
    });
    expect((await patch(signature, 0, stream)).status).toBe(413);
  });

  it('refuses a program by its first bytes, in words', async () => {
    const program = Buffer.concat([Buffer.from('MZ'), content.subarray(2)]);
    const signature = await place(program);
    const answer = await patch(signature, 0, part(0, MB, program));
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({
      success: '10415',
      msg: expect.stringContaining('a program for Windows'),
    });
  });

  it('refuses what is no video once it is whole, and keeps nothing of it', async () => {
    const words = Buffer.from('only words here\n'.repeat(MB / 8));
    const signature = await place(words);
    const answer = await patch(signature, 0, part(0, words.length, words));
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ msg: expect.stringContaining('it is a text file') });
    expect(await lies(signature)).toEqual([]);
  });

  it('asks for a new ticket when the old one is over, and goes on with it', async () => {
    const signature = await place();
    await patch(signature, 0, part(0, 1000));
    api.pass(16 * 60_000);
    expect((await offset(signature))[0]).toBe(403);
    const { taskId } = signature;
    const query = new URLSearchParams({ type: '17', fileName: film.name, fileSize: String(content.length), taskId });
    const again = await api.ask<UploadSignature>('GET', `/oss/signature?${query}`);
    expect(again.obj).toMatchObject({ taskId, upload: { url: signature.upload.url } });
    expect(await offset(again.obj)).toEqual([200, 1000]);
    const { rows } = await api.ctx.handle.query({
      text: 'select id from repair_tasks where id = $1',
      values: [digest(taskId)],
    });
    expect(rows).toHaveLength(1);
    // Another file does not go on in its place, nor does anybody without its key.
    query.set('fileSize', String(content.length - 1));
    expect((await api.ask('GET', `/oss/signature?${query}`)).status).toBe(410);
    query.set('taskId', '0'.repeat(32));
    expect((await api.ask('GET', `/oss/signature?${query}`)).status).toBe(410);
  });

  it.each([
    ['none', {}],
    ['one of another upload', null],
    ['one that was made up', { 'upload-ticket': `9999999999.${'0'.repeat(64)}` }],
  ])('takes no request with %s as its ticket', async (_what, fields) => {
    const signature = await place();
    const forged = { ...signature, upload: { ...signature.upload, fields: fields ?? (await place()).upload.fields } };
    expect((await offset(forged as UploadSignature))[0]).toBe(403);
    expect((await patch(forged as UploadSignature, 0, part(0, 100))).status).toBe(403);
  });

  it('takes neither the creation nor the deletion of uploads by strangers', async () => {
    const signature = await place();
    for (const method of ['POST', 'DELETE', 'GET', 'PUT']) {
      expect((await api.send(method, address(signature), { headers: headers(signature) })).status).toBe(405);
    }
  });

  it('leaves nothing when it is cancelled, and its room is free at once', async () => {
    const room = async () =>
      (await api.ctx.handle.query({ text: "select id from repair_tasks where status <> 'deleted'" })).rows.length;
    const before = await room();
    const signature = await place();
    let isEnded = false;
    const running = patch(
      signature,
      0,
      new ReadableStream({
        start(controller) {
          controller.enqueue(part(0, MB));
        },
      }),
    ).finally(() => {
      isEnded = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await api.ask('DELETE', `/repair/tasks/${signature.taskId}`);
    expect(await room()).toBe(before);
    await running;
    expect(isEnded).toBe(true);
    await sweep();
    expect(await lies(signature)).toEqual([]);
    expect((await offset(signature))[0]).toBe(410);
  });

  it('outlives the sweep while it pauses, and not its day', async () => {
    const signature = await place();
    await patch(signature, 0, part(0, 1000));
    api.pass(2 * 3_600_000);
    await sweep();
    const query = new URLSearchParams({
      type: '17',
      fileName: film.name,
      fileSize: String(content.length),
      taskId: signature.taskId,
    });
    const again = await api.ask<UploadSignature>('GET', `/oss/signature?${query}`);
    expect(await offset(again.obj)).toEqual([200, 1000]);
    api.pass(5 * 3_600_000);
    await sweep();
    expect(await lies(signature)).toEqual([]);
    expect((await offset(again.obj))[0]).toBe(403);
  });
});

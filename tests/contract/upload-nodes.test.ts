import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UploadSignature } from '@/lib/contract/repair';
import { digest } from '@/lib/server/base/ids';
import type { DatabaseHandle } from '@/lib/server/db/handle';
import { openPostgres } from '@/lib/server/db/postgres';
import { uploadKey } from '@/lib/server/objects/port';
import { startApi, type TestApi } from '../api/harness/api';
import { askForForm, taskOf } from '../api/harness/files';
import { startTestStore, type TestStore } from '../support/s3/server';
import { postgresql } from './adapters';

const adapter = await postgresql();
const MB = 2 ** 20;
const content = Buffer.from(Array.from({ length: 12 * MB }, (_, index) => (index * 31 + (index >> 8) * 17) & 0xff));

describe.runIf(adapter)('an upload in pieces over two nodes on PostgreSQL and an S3 store', () => {
  let store: TestStore;
  let first: DatabaseHandle;
  let nodes: [TestApi, TestApi];

  beforeAll(async () => {
    process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
    store = await startTestStore();
    first = await (adapter?.open() ?? Promise.reject(new Error('no PostgreSQL')));
    const url = String((first.client as { options: { connectionString: string } }).options.connectionString);
    const variables = {
      ...store.variables,
      DATABASE_URL: url,
      UPLOAD_RESUMABLE_MB: '1',
      UPLOAD_SIGNING_SECRET: 'the same on every node',
      PAYMENT_WEBHOOK_SECRET: 'the same on every node',
    };
    nodes = [await startApi(variables, first), await startApi(variables, await openPostgres(url, 5))];
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await adapter?.stop();
    await store.close();
  });

  const send = ({ upload }: UploadSignature, node: TestApi, method: string, from = 0, rawBody?: BodyInit) =>
    node.send(method, new URL(upload.url).pathname.replace('/api/v1', ''), {
      ...(rawBody ? { rawBody } : {}),
      headers: {
        'tus-resumable': '1.0.0',
        ...upload.fields,
        ...(rawBody ? { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) } : {}),
      },
    });
  const part = (from: number, to: number) => new Uint8Array(content.subarray(from, to));

  it('goes on through the other, whose sender takes the place of the connection that is left', async () => {
    const [here, there] = nodes;
    const { obj } = await askForForm(here, { name: 'film.mp4', type: 17, bytes: content });
    let isEnded = false;
    const left = send(
      obj,
      here,
      'PATCH',
      0,
      new ReadableStream({
        start(controller) {
          controller.enqueue(part(0, 9 * MB));
        },
      }),
    ).finally(() => {
      isEnded = true;
    });
    const isHeld = async () => (await first.query({ text: 'select id from upload_locks' })).rows.length;
    await expect.poll(isHeld, { timeout: 20_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isEnded).toBe(false);

    const asked = await send(obj, there, 'HEAD');
    const offset = Number(asked.headers.get('upload-offset'));
    // Let go in order, the first node has saved what it had.
    expect([asked.status, offset]).toEqual([200, 9 * MB]);
    expect((await send(obj, there, 'PATCH', offset, part(offset, content.length))).status).toBe(204);
    await left;

    expect((await here.ask('POST', `/repair/tasks/${obj.taskId}`)).status).toBe(200);
    await there.jobs(['repair']);
    expect((await taskOf(here, obj.taskId)).status).toBe('success');
    const answer = await here.send('GET', `/repair/tasks/${obj.taskId}/file`);
    expect((await fetch(answer.headers.get('location') ?? '')).status).toBe(200);
    const stored = await there.ctx.objects.get(uploadKey(digest(obj.taskId)));
    expect(stored && (await buffer(stored)).equals(content)).toBe(true);
  });

  it('is written by one of them when both send the same', async () => {
    const { obj } = await askForForm(nodes[0], { name: 'film.mp4', type: 17, bytes: content });
    const answers = await Promise.all(nodes.map((node) => send(obj, node, 'PATCH', 0, part(0, content.length))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await nodes[1].ask('POST', `/repair/tasks/${obj.taskId}`)).status).toBe(200);
  });

  it('is cancelled on one while the other takes it', async () => {
    const { obj } = await askForForm(nodes[0], { name: 'film.mp4', type: 17, bytes: content });
    const running = send(
      obj,
      nodes[0],
      'PATCH',
      0,
      new ReadableStream({
        start(controller) {
          controller.enqueue(part(0, 6 * MB));
        },
      }),
    );
    const isHeld = async () => (await first.query({ text: 'select id from upload_locks' })).rows.length;
    await expect.poll(isHeld, { timeout: 20_000 }).toBe(1);
    expect((await nodes[1].ask('DELETE', `/repair/tasks/${obj.taskId}`)).status).toBe(200);
    // It ends by itself, though its sender never does.
    await running;
    expect((await taskOf(nodes[0], obj.taskId)).status).toBe('deleted');
  });
});

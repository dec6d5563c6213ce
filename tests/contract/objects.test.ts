import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/server/config/env';
import { readSecrets } from '@/lib/server/config/secrets';
import { objectStore } from '@/lib/server/objects/open';
import { type ObjectKey, type ObjectStore, uploadKey } from '@/lib/server/objects/port';
import { startTestStore, type TestStore } from '../support/s3/server';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-objects-'));
const scratch = path.join(dataDir, 'scratch');
fs.mkdirSync(scratch);
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

let server: TestStore | undefined;
function open(variables: Record<string, string> = {}): Promise<ObjectStore> {
  const env = parseEnv({ DATA_DIR: dataDir, ...variables });
  return objectStore(env, readSecrets(env));
}

const adapters = [
  { name: 'the disk', make: async () => open() },
  {
    name: 'an S3 server',
    make: async () => {
      server = await startTestStore();
      return open(server.variables);
    },
  },
];

const id = (digit: string) => digit.repeat(64);
const text = 'some content of a file';
const put = (store: ObjectStore, key: ObjectKey, content: string | Buffer = text) =>
  store.put(key, Readable.from([Buffer.from(content)]), Buffer.byteLength(content));
const read = async (stream: Readable | null) => stream && (await buffer(stream)).toString();
const keysOf = async (store: ObjectStore) => {
  const keys: string[] = [];
  for await (const { key } of store.list('uploads')) keys.push(key);
  return keys.sort();
};

describe.each(adapters)('the store on $name', ({ make }) => {
  let store: ObjectStore;
  beforeAll(async () => {
    store = await make();
    await store.open();
    await store.open();
  });
  afterAll(async () => {
    await server?.close();
    server = undefined;
  });

  it('gives back what was put, whole and in ranges', async () => {
    const key = uploadKey(id('a'));
    await put(store, key);
    expect(await read(await store.get(key))).toBe(text);
    expect(await read(await store.get(key, { start: 5, end: 11 }))).toBe(text.slice(5, 12));
    const head = await store.head(key);
    expect(head?.bytes).toBe(text.length);
    expect(Math.abs(Date.now() - (head?.changedAt.getTime() ?? 0))).toBeLessThan(3_600_000);
  });

  it('replaces an object as a whole', async () => {
    const key = uploadKey(id('b'));
    await put(store, key, 'the first one, which is longer');
    await put(store, key, 'the second');
    expect(await read(await store.get(key))).toBe('the second');
  });

  it('answers null for what is not there, and removes it without a word', async () => {
    const key = uploadKey(id('c'));
    expect([await store.get(key), await store.head(key)]).toEqual([null, null]);
    await store.remove(key);
    await put(store, key);
    await store.remove(key);
    await store.remove(key);
    expect(await store.head(key)).toBeNull();
  });

  it('keeps nothing of a stream that breaks off, or that is shorter or longer than said', async () => {
    const before = await keysOf(store);
    const key = uploadKey(id('d'));
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('begun');
        throw new Error('the line is gone');
      })(),
    );
    await expect(store.put(key, broken, 100)).rejects.toThrow('the line is gone');
    await expect(store.put(key, Readable.from([Buffer.from('short')]), 100)).rejects.toThrow(/shorter/);
    await expect(store.put(key, Readable.from([Buffer.from('too long')]), 3)).rejects.toThrow(/longer/);
    expect(await keysOf(store)).toEqual(before);
  });

  it('takes a file of the scratch folder, which is gone there then', async () => {
    const file = path.join(scratch, 'made');
    fs.writeFileSync(file, text);
    await store.take(`results/${id('e')}.1`, file);
    expect(await read(await store.get(`results/${id('e')}.1`))).toBe(text);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('lends an object as a file and leaves no copy', async () => {
    const key = uploadKey(id('f'));
    await put(store, key);
    const lent = await store.lend(key, scratch, async (file) => file && fs.readFileSync(file, 'utf8'));
    expect(lent).toBe(text);
    await expect(store.lend(key, scratch, () => Promise.reject(new Error('in the work')))).rejects.toThrow(
      'in the work',
    );
    expect(await store.lend(uploadKey(id('0')), scratch, async (file) => file)).toBeNull();
    expect(fs.readdirSync(scratch)).toEqual([]);
    expect(await store.head(key)).not.toBeNull();
  });

  it('lists an area with sizes', async () => {
    await put(store, uploadKey(id('9')));
    const found = [];
    for await (const entry of store.list('uploads')) found.push(entry);
    expect(found.find(({ key }) => key === uploadKey(id('9')))).toMatchObject({ bytes: text.length });
    expect(found.every(({ key }) => key.startsWith('uploads/'))).toBe(true);
  });

  it('lets no name out of its area', async () => {
    for (const key of ['uploads/../secrets.json', 'uploads/a/b', 'else/aa', 'installers/../x.exe'] as ObjectKey[]) {
      await expect(async () => store.get(key)).rejects.toThrow(/made by the server/);
    }
  });

  it('proves that it can be written to and leaves nothing', async () => {
    const before = await keysOf(store);
    await store.prove();
    expect(await keysOf(store)).toEqual(before);
  });

  it('moves what is large in pieces', async () => {
    const piece = Buffer.alloc(2 ** 20, 7);
    // The server of the test holds objects in this very process, so it gets a smaller one and no measure is taken.
    const count = store.kind === 'disk' ? 256 : 24;
    const key = uploadKey(id('8'));
    const before = process.memoryUsage().arrayBuffers;
    await store.put(key, Readable.from(Array.from({ length: count }, () => piece)), count * piece.length);
    let [bytes, most] = [0, 0];
    for await (const chunk of (await store.get(key)) ?? []) {
      bytes += (chunk as Buffer).length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(bytes).toBe(count * piece.length);
    if (store.kind === 'disk') expect(most).toBeLessThan(128 * 2 ** 20);
  });
});

describe('a form of an S3 store', () => {
  let store: ObjectStore;
  let own: TestStore;
  const key = uploadKey(id('7'));
  const content = 'exactly twenty bytes';
  beforeAll(async () => {
    own = await startTestStore();
    store = await open(own.variables);
    await store.open();
  });
  afterAll(() => own.close());

  const signed = () => store.signForm({ key, bytes: content.length, now: new Date(), seconds: 900 });
  async function post(fields: Record<string, string>, url: string | null, body = content, origin?: string) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new Blob([body]), 'any.pdf');
    return (await fetch(url ?? '', { method: 'POST', body: form, headers: origin ? { origin } : {} })).status;
  }

  it('is taken as it was signed', async () => {
    const { url, fields } = await signed();
    expect(await post(fields, url)).toBe(204);
    expect(await read(await store.get(key))).toBe(content);
  });

  it.each([
    ['another key', { key: uploadKey(id('6')) }, content, 403],
    ['another type', { 'Content-Type': 'text/html' }, content, 403],
    [
      'a policy of its own',
      { Policy: Buffer.from('{"expiration":"2099-01-01T00:00:00Z","conditions":[]}').toString('base64') },
      content,
      403,
    ],
    ['another signature', { 'X-Amz-Signature': '0'.repeat(64) }, content, 403],
    ['a field that nobody signed', { 'x-amz-meta-more': '1' }, content, 403],
    ['one byte more', {}, `${content}!`, 400],
    ['one byte less', {}, content.slice(1), 400],
  ])('is refused with %s', async (_what, change, body, status) => {
    await store.remove(key);
    const { url, fields } = await signed();
    expect(await post({ ...fields, ...change }, url, body)).toBe(status);
    expect(await store.head(key)).toBeNull();
    expect(await store.head(uploadKey(id('6')))).toBeNull();
  });

  it('is refused once it has expired', async () => {
    const { url, fields } = await signed();
    own.pass(16 * 60_000);
    expect(await post(fields, url)).toBe(403);
    own.pass(-16 * 60_000);
  });

  it('may come from pages of the site only, once its rules are set', async () => {
    const site = 'https://www.example.com';
    const { url, fields } = await signed();
    expect(await store.rules?.read([site])).toEqual({ expiry: false, forms: false });
    expect(await post(fields, url, content, site)).toBe(403);
    await store.rules?.set([site]);
    await store.rules?.set([site]);
    expect(await store.rules?.read([site])).toEqual({ expiry: true, forms: true });
    expect(await post(fields, url, content, site)).toBe(204);
    expect(await post(fields, url, content, 'https://elsewhere.example')).toBe(403);
  });

  it('leads to a file that a link opens for minutes', async () => {
    await put(store, key);
    const link = await store.link(key, {
      disposition: 'attachment; filename="a.pdf"',
      contentType: 'text/plain',
      seconds: 300,
    });
    const opened = await fetch(link ?? '');
    expect(await opened.text()).toBe(text);
    expect(opened.headers.get('content-disposition')).toBe('attachment; filename="a.pdf"');
    expect((await fetch((link ?? '').replace(id('7'), id('6')))).status).toBe(403);
    own.pass(301_000);
    expect((await fetch(link ?? '')).status).toBe(403);
    own.pass(-301_000);
  });

  it('goes on after answers of a store that is ill', async () => {
    await put(store, key);
    own.fail('GET', 2);
    expect(await read(await store.get(key))).toBe(text);
    own.fail('GET', 0);
  });
});

describe('a start on an S3 store', () => {
  let own: TestStore;
  beforeAll(async () => {
    own = await startTestStore();
  });
  afterAll(() => own.close());

  it.each([
    ['nobody answers', { S3_ENDPOINT: 'http://127.0.0.1:9' }, /does not answer as it should \(.*ECONNREFUSED/],
    ['there is no such bucket', { S3_BUCKET: 'another-one' }, /The bucket another-one does not answer as it should/],
    ['the key is another', { S3_SECRET_ACCESS_KEY: 'guessed' }, /does not answer as it should .*403/],
  ])('refuses in a sentence where %s', async (_what, change, words) => {
    const there = await open({ ...own.variables, ...change });
    await expect(there.open()).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(words) });
  });

  it('refuses where the key may not write', async () => {
    own.fail('PUT', 100);
    const there = await open(own.variables);
    await expect(there.open()).rejects.toThrow(/does not let this key write, read and delete/);
    own.fail('PUT', 0);
  });

  it('refuses where the clocks differ', async () => {
    own.pass(10 * 60_000);
    const there = await open(own.variables);
    await expect(there.open()).rejects.toThrow(/differ by \d+ seconds/);
    own.pass(-10 * 60_000);
  });

  it('is not tried with half a configuration', () => {
    const { S3_REGION: _region, S3_BUCKET: _bucket, ...half } = own.variables;
    expect(() => parseEnv(half)).toThrow(/S3_BUCKET, S3_REGION must be set too/);
    expect(() => parseEnv({ S3_PUBLIC_ENDPOINT: own.endpoint })).toThrow(/configured in part/);
  });
});

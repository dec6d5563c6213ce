import 'server-only';
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { allDone, exactly } from '../exact';
import { type Area, type ObjectHead, type ObjectKey, type ObjectStore, partsOf } from '../port';
import { bucketRules } from './rules';
import type { S3Settings } from './settings';
import { proveStore, startCheck } from './start-check';

/** A part of an upload in pieces, which lies on this machine while it comes in. */
const PART_BYTES = 8 * 2 ** 20;

/** Nothing is remembered of uploads in pieces: another node may go on with them, and nobody would forget them. */
const forgetful = { get: async () => undefined, set: async () => undefined, delete: async () => undefined };

/** What an upload is called in the store: never what its sender calls it. */
const PLAIN_BYTES = 'application/octet-stream';

/** The store in a bucket of an S3-compatible service (Amazon S3 API Reference). Browsers send to it and fetch from it themselves. */
export function s3Store({ client: config, publicEndpoint, bucket }: S3Settings): ObjectStore {
  const client = new S3Client(config);
  const forBrowsers = new S3Client({ ...config, endpoint: publicEndpoint });
  const target = (key: ObjectKey) => {
    partsOf(key);
    return { Bucket: bucket, Key: key };
  };
  const send = (key: ObjectKey, body: Readable, bytes: number, abortSignal?: AbortSignal) =>
    client.send(
      new PutObjectCommand({ ...target(key), Body: body, ContentLength: bytes, ContentType: PLAIN_BYTES }),
      abortSignal ? { abortSignal } : {},
    );

  const store: ObjectStore = {
    kind: 's3',
    describe: `Files: bucket ${bucket} at ${new URL(publicEndpoint).host}`,
    async put(key, body, bytes) {
      const whole = exactly(bytes);
      // Each ends the other: the client would wait for the rest of a body that broke off, the body for a client that gave up.
      const cut = new AbortController();
      const fed = pipeline(body, whole).catch((error: unknown) => {
        cut.abort();
        throw error;
      });
      const sent = send(key, whole, bytes, cut.signal).catch((error: unknown) => {
        whole.destroy(error as Error);
        throw error;
      });
      await allDone(fed, sent);
    },
    async take(key, file) {
      const { size } = await fs.stat(file);
      await send(key, createReadStream(file), size);
      await fs.rm(file, { force: true });
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const answer = await client.send(new GetObjectCommand({ ...target(key), Range })).catch(notThere);
      return (answer?.Body as Readable | undefined) ?? null;
    },
    async head(key) {
      const answer = await client.send(new HeadObjectCommand(target(key))).catch(notThere);
      return answer && { bytes: answer.ContentLength ?? 0, changedAt: answer.LastModified ?? new Date(0) };
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(target(key))).catch(notThere);
    },
    list: (area) => listArea(client, bucket, area),
    async lend(key, scratch, work, signal) {
      const body = await store.get(key);
      if (!body) return work(null);
      const file = path.join(scratch, `lent.${randomBytes(6).toString('hex')}`);
      try {
        await pipeline(body, createWriteStream(file, { flags: 'wx', mode: 0o600 }), signal ? { signal } : {});
        return await work(file);
      } finally {
        await fs.rm(file, { force: true });
      }
    },
    signForm: ({ key, bytes, seconds }) =>
      createPresignedPost(forBrowsers, {
        ...target(key),
        Fields: { 'Content-Type': PLAIN_BYTES },
        Conditions: [['content-length-range', bytes, bytes]],
        Expires: seconds,
      }),
    async pieces() {
      const { S3Store } = await import('@tus/s3-store');
      return new S3Store({ partSize: PART_BYTES, cache: forgetful, s3ClientConfig: { ...config, bucket } });
    },
    link: (key, { disposition, contentType, seconds }) =>
      getSignedUrl(
        forBrowsers,
        new GetObjectCommand({
          ...target(key),
          ResponseContentDisposition: disposition,
          ResponseContentType: contentType,
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: seconds },
      ),
    open: () => startCheck(client, bucket),
    prove: () => proveStore(client, bucket),
    disk: async () => null,
    rules: bucketRules(client, bucket),
  };
  return store;
}

async function* listArea(client: S3Client, bucket: string, area: Area): AsyncIterable<{ key: ObjectKey } & ObjectHead> {
  const prefix = `${area}/`;
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: next }),
    );
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
      if (Key.length > prefix.length)
        yield { key: `${area}/${Key.slice(prefix.length)}`, bytes: Size, changedAt: LastModified };
    }
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next);
}

/** The service's answer for what it does not have; it names no key to a HEAD. */
function notThere(error: unknown): null {
  if (['NoSuchKey', 'NotFound'].includes((error as Error).name)) return null;
  throw error;
}

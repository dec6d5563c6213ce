import 'server-only';
import { randomBytes } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { startError } from '../../base/start-error';

/** A signature counts for 15 minutes around the store's own time; nearer than that some of it is kept for slow lines. */
const CLOCK_SECONDS = 300;

/** Looks at the bucket before anything relies on it: that it answers, that we may do there what we have to, that the clocks agree. */
export async function startCheck(client: S3Client, bucket: string): Promise<void> {
  const storeTime = watchClock(client);
  await tried(bucket, 'does not answer as it should', () => client.send(new HeadBucketCommand({ Bucket: bucket })));
  const seconds = Math.abs(storeTime() - Date.now()) / 1000;
  if (seconds > CLOCK_SECONDS) {
    throw startError(
      `The clock of this machine and that of the store differ by ${Math.round(seconds)} seconds, so browsers’ uploads would be refused. Set the clock (NTP).`,
    );
  }
  await tried(bucket, 'does not let this key write, read and delete', () => proveStore(client, bucket));
}

/** Writes an object, reads it and removes it. */
export async function proveStore(client: S3Client, bucket: string): Promise<void> {
  const place = { Bucket: bucket, Key: `uploads/${randomBytes(6).toString('hex')}.0` };
  await client.send(new PutObjectCommand({ ...place, Body: '1' }));
  const { Body } = await client.send(new GetObjectCommand(place));
  const text = await Body?.transformToString();
  await client.send(new DeleteObjectCommand(place));
  if (text !== '1') throw new Error('what was written came back changed');
}

/** The store's time, as its last answer gave it (RFC 9110, section 6.6.1). */
function watchClock(client: S3Client): () => number {
  let seen = Date.now();
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = (result.response ?? {}) as { headers?: Record<string, string> };
      const date = Date.parse(headers?.date ?? '');
      if (!Number.isNaN(date)) seen = date;
      return result;
    },
    { step: 'deserialize', name: 'storeTime', override: true },
  );
  return () => seen;
}

async function tried(bucket: string, words: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const reason = [name, message, $metadata?.httpStatusCode].filter(Boolean).join(', ');
    throw startError(
      `The bucket ${bucket} ${words} (${reason}). Look at S3_ENDPOINT, S3_BUCKET, S3_REGION and the keys.`,
    );
  }
}

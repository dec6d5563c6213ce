import 'server-only';
import {
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectStore } from '../port';

/** Lifecycle rules count in whole days; our job deletes before the first is over, so this is for what it did not get to. */
const DAYS = 1;

const rules: LifecycleRule[] = ['uploads/', 'results/'].map((prefix) => ({
  ID: `mendara-${prefix.slice(0, -1)}`,
  Status: 'Enabled',
  Filter: { Prefix: prefix },
  Expiration: { Days: DAYS },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: DAYS },
}));

/** The rules of a bucket, set by an operator and read by the check (Amazon S3 API Reference, lifecycle and CORS). Foreign rules stay. */
export function bucketRules(client: S3Client, bucket: string): NonNullable<ObjectStore['rules']> {
  const Bucket = bucket;
  const lifecycle = async () =>
    (await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket })).catch(none))?.Rules ?? [];
  const cors = async () => (await client.send(new GetBucketCorsCommand({ Bucket })).catch(none))?.CORSRules ?? [];
  return {
    async set(siteOrigins) {
      const foreign = (await lifecycle()).filter(({ ID }) => !rules.some((own) => own.ID === ID));
      await client.send(
        new PutBucketLifecycleConfigurationCommand({
          Bucket,
          LifecycleConfiguration: { Rules: [...foreign, ...rules] },
        }),
      );
      const others = (await cors()).filter(({ ID }) => ID !== 'mendara');
      const own = {
        ID: 'mendara',
        AllowedOrigins: [...siteOrigins],
        AllowedMethods: ['POST', 'GET', 'HEAD'],
        AllowedHeaders: ['*'],
        MaxAgeSeconds: 600,
      };
      await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [...others, own] } }));
    },
    async read(siteOrigins) {
      const kept = await lifecycle();
      const mayPost = (await cors())
        .filter(({ AllowedMethods }) => AllowedMethods?.includes('POST'))
        .flatMap(({ AllowedOrigins }) => AllowedOrigins ?? []);
      return {
        expiry: rules.every((own) => kept.some((rule) => isAsStrict(rule, own))),
        forms: siteOrigins.every((origin) => mayPost.includes(origin) || mayPost.includes('*')),
      };
    },
  };
}

function isAsStrict(rule: LifecycleRule, own: LifecycleRule): boolean {
  const prefix = rule.Filter?.Prefix ?? '';
  return (
    rule.Status === 'Enabled' &&
    (own.Filter?.Prefix ?? '').startsWith(prefix) &&
    (rule.Expiration?.Days ?? Number.POSITIVE_INFINITY) <= DAYS &&
    (rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation ?? Number.POSITIVE_INFINITY) <= DAYS
  );
}

/** A bucket that never had such rules answers by an error; one that may not be asked is another matter. */
function none(error: unknown): null {
  if (['NoSuchLifecycleConfiguration', 'NoSuchCORSConfiguration'].includes((error as Error).name)) return null;
  throw error;
}

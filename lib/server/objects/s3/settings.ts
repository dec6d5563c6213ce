import 'server-only';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { Env } from '../../config/env';

const nothing = () => undefined;

/** Where the bucket is and who we are there. `publicEndpoint` is the store's address as browsers reach it. */
export type S3Settings = { client: S3ClientConfig; publicEndpoint: string; bucket: string };

/** The settings of the environment; null when the disk is the store. */
export function s3Settings(env: Env): S3Settings | null {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey) return null;
  return {
    bucket,
    publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? endpoint,
    client: {
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: env.S3_PATH_STYLE,
      // Stores other than Amazon's know no checksums behind a body; TLS and the length guard it.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 4,
      // What fails is thrown, and said where it is dealt with.
      logger: { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
    },
  };
}

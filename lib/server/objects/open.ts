import 'server-only';
import type { Env } from '../config/env';
import type { Secrets } from '../config/secrets';
import { diskStore } from './disk/store';
import type { ObjectStore } from './port';
import { s3Settings } from './s3/settings';

/** The store that the environment names; nothing is sent to it yet. Its client is loaded where there is one only. */
export async function objectStore(env: Env, secrets: Secrets): Promise<ObjectStore> {
  const settings = s3Settings(env);
  if (!settings) return diskStore(env.DATA_DIR, secrets.uploadSigning);
  const { s3Store } = await import('./s3/store');
  return s3Store(settings);
}

/** Names of the request headers (lib/contract/README.md, 41), lower-case. */
export const header = {
  authorization: 'authorization',
  phoneOs: 'phone_os',
  website: 'website',
  trackId: 'track_id',
  token: 'token',
  uuid: 'uuid',
  channel: 'channel',
  clientId: 'client-id',
  language: 'language',
  versionCode: 'version-code',
  idempotencyKey: 'idempotency-key',
} as const;

/** The fixed app version code that every request carries. */
export const VERSION_CODE = '100';

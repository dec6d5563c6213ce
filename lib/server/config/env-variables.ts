/** One environment variable: how it is written, what happens without it, what it switches. */
export type Variable = { name: string; default: string; meaning: string };

/** Every variable the server reads, in the order of lib/server/README.md, 1. */
export const variables: readonly Variable[] = [
  { name: 'PORT', default: '3000', meaning: 'TCP port the server listens on.' },
  { name: 'HOST', default: 'localhost', meaning: 'Address the server listens on; 0.0.0.0 for every interface.' },
  { name: 'DATA_DIR', default: '.data', meaning: 'Folder of the embedded database, uploads, installers and secrets.' },
  {
    name: 'SITE_URL',
    default: 'http://HOST:PORT',
    meaning:
      'Public address of the site: canonical addresses, sitemap, links in mails, the sign-in page, return addresses.',
  },
  {
    name: 'ALLOWED_ORIGINS',
    default: '',
    meaning: 'Other origins that may call the API, comma separated, such as https://www.example.com.',
  },
  {
    name: 'TRUST_PROXY',
    default: '0',
    meaning:
      '1 when a proxy stands in front of every client, or the proxies’ addresses and networks, such as 10.0.0.0/8: their X-Forwarded-For names the client.',
  },
  {
    name: 'CONNECTIONS_MAX',
    default: 'what the limit on open files bears, at most 10000',
    meaning: 'Most connections at the same time. When there are more, the slowest are ended.',
  },
  {
    name: 'CONNECTIONS_PER_ADDRESS',
    default: '256',
    meaning: 'Most connections of one client address at the same time; trusted proxies are spared.',
  },
  {
    name: 'DATABASE_URL',
    default: 'the embedded database in DATA_DIR',
    meaning: 'PostgreSQL to use instead, such as postgres://user:password@host/name.',
  },
  {
    name: 'DATABASE_POOL',
    default: '10',
    meaning: 'Most connections to PostgreSQL that one process keeps open.',
  },
  { name: 'JOBS_IN_PROCESS', default: '1', meaning: '0 leaves the jobs to separate workers; needs DATABASE_URL.' },
  {
    name: 'SMTP_URL',
    default: 'none: mails go to the outbox page',
    meaning: 'Mail server, such as smtp://user:password@host:587.',
  },
  { name: 'MAIL_FROM', default: 'the brand at the host of SITE_URL', meaning: 'Sender of the mails.' },
  {
    name: 'CONTACT_TO',
    default: 'the address of MAIL_FROM',
    meaning: 'Who receives what visitors write on the contact page.',
  },
  {
    name: 'ALLOW_SANDBOX_PAYMENTS',
    default: '0',
    meaning:
      '1 says that this is a demonstration: sandbox payments and the outbox are served to others too. Never in production.',
  },
  {
    name: 'PAYMENT_PROVIDER',
    default: 'sandbox',
    meaning: 'Who takes payments: `sandbox`, or `stripe` with the three keys below.',
  },
  { name: 'STRIPE_SECRET_KEY', default: '', meaning: 'Stripe’s secret key, such as sk_live_…' },
  { name: 'STRIPE_PUBLISHABLE_KEY', default: '', meaning: 'Stripe’s publishable key, such as pk_live_…' },
  {
    name: 'STRIPE_WEBHOOK_SECRET',
    default: '',
    meaning: 'Signing secret of the webhook endpoint SITE_URL/api/v1/pay/webhook/stripe, such as whsec_…',
  },
  {
    name: 'STRIPE_API_URL',
    default: 'https://api.stripe.com',
    meaning: 'Where Stripe’s API is; another address stands in for it in tests.',
  },
  {
    name: 'OIDC_ISSUER',
    default: 'none: the pages /login and /register keep passwords',
    meaning: 'OpenID Connect provider at which people sign in instead, such as https://accounts.example.com.',
  },
  {
    name: 'OIDC_CLIENT_ID',
    default: '',
    meaning: 'This site’s name there. Its redirect address there is SITE_URL/api/v1/sso/provider/callback.',
  },
  { name: 'OIDC_CLIENT_SECRET', default: '', meaning: 'This site’s secret there.' },
  {
    name: 'PAYMENT_WEBHOOK_SECRET',
    default: 'made once, kept in DATA_DIR/secrets.json',
    meaning: 'Signs the sandbox provider’s webhooks.',
  },
  {
    name: 'UPLOAD_SIGNING_SECRET',
    default: 'made once, kept in DATA_DIR/secrets.json',
    meaning: 'Signs upload forms. The same on every node.',
  },
  {
    name: 'INSTALLER_BASE_URL',
    default: 'DATA_DIR/installers, served by this server',
    meaning: 'Where the installers lie instead, such as https://download.example.com/files.',
  },
  { name: 'REPAIR_TIMEOUT_SECONDS', default: '300', meaning: 'Longest time one repair may take.' },
  {
    name: 'REPAIR_QUICK_SECONDS',
    default: '20',
    meaning: 'How long a repair may take in the slot kept for quick ones; then it goes on among the long ones.',
  },
  { name: 'REPAIR_MEMORY_MB', default: '1024', meaning: 'Most memory one repair may use.' },
  {
    name: 'REPAIR_FFMPEG',
    default: '',
    meaning:
      'Program that decodes repaired videos for the check; without it, ffmpeg in WebAssembly does, slower but shut in.',
  },
  {
    name: 'REPAIR_CONCURRENCY',
    default: '1',
    meaning: 'Long repairs at the same time in one process; beside them there is one slot for quick ones.',
  },
  {
    name: 'REPAIR_SANDBOX',
    default: 'auto',
    meaning:
      '`auto` shuts repairs in as far as the machine can; `require` starts none without walls; `off` does not try.',
  },
  {
    name: 'LOG_FORMAT',
    default: 'text',
    meaning: '`json` writes the log as one JSON object on each line.',
  },
  {
    name: 'METRICS_TOKEN',
    default: '',
    meaning:
      'Bearer token without which /metrics is not served; behind TRUST_PROXY it is served with one only. At least 16 characters.',
  },
  { name: 'UPLOAD_STALL_SECONDS', default: '30', meaning: 'Window in which an upload must move on, or it is ended.' },
  { name: 'UPLOAD_STALL_BYTES', default: '1024', meaning: 'Bytes that must arrive in each such window.' },
  { name: 'UPLOAD_DISK_MB', default: '10240', meaning: 'Most room that uploads and results may take together.' },
  {
    name: 'UPLOAD_TASKS_PER_CLIENT',
    default: '20',
    meaning:
      'Most unfinished or kept repairs of one visitor; a quarter of it for an address’s visitors without cookies.',
  },
  {
    name: 'UPLOAD_TASKS_PER_ADDRESS',
    default: '400',
    meaning: 'Most unfinished or kept repairs of one client address, all its visitors together.',
  },
  {
    name: 'UPLOAD_RESUMABLE_MB',
    default: '64',
    meaning: 'Files above this size are sent in pieces that go on after a break (tus).',
  },
  {
    name: 'S3_ENDPOINT',
    default: 'none: files lie in DATA_DIR',
    meaning:
      'Address of an S3-compatible store for uploads, results and installers, such as https://s3.eu-central-1.amazonaws.com; needs the four below.',
  },
  { name: 'S3_BUCKET', default: '', meaning: 'Bucket for them, of this site alone.' },
  { name: 'S3_REGION', default: '', meaning: 'Region that requests are signed for, such as eu-central-1.' },
  { name: 'S3_ACCESS_KEY_ID', default: '', meaning: 'Access key; it has to read, write, list and delete there.' },
  { name: 'S3_SECRET_ACCESS_KEY', default: '', meaning: 'Its secret.' },
  {
    name: 'S3_PUBLIC_ENDPOINT',
    default: 'S3_ENDPOINT',
    meaning: 'Address of the store as browsers reach it, where that is another.',
  },
  {
    name: 'S3_PATH_STYLE',
    default: '1',
    meaning: '0 puts the bucket’s name before the host of the store instead of into the path.',
  },
  { name: 'RATE_LIMITS', default: 'on', meaning: '`off` switches the limits on attempts off. For tests only.' },
];

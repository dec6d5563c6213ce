import 'server-only';
import path from 'node:path';
import { z } from 'zod';
import { brands } from '../../catalog/brands';
import { startError } from '../base/start-error';
import { halfConfigured } from './half-configured';
import { isLoopback } from './origins';
import { noProxies, parseProxies } from './proxies';
import { publicSetUpFaults } from './public-set-up';

/** Reads `1/true/on/yes` and `0/false/off/no`. */
function flag(fallback: boolean) {
  return z
    .enum(['1', 'true', 'on', 'yes', '0', 'false', 'off', 'no'], 'must be 1 or 0')
    .transform((value) => ['1', 'true', 'on', 'yes'].includes(value))
    .default(fallback);
}

/** Reads a whole number between two bounds. */
function anyWhole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
}

/** The same, with what it is when it is not set. */
function whole(fallback: number, min: number, max: number) {
  return anyWhole(min, max).default(fallback);
}

const proxies = z.string().transform((text, issues) => {
  const parsed = parseProxies(text);
  if (parsed) return parsed;
  issues.addIssue({
    code: 'custom',
    message: 'must be 0, 1, or addresses such as 10.0.0.7 and networks such as 10.0.0.0/8',
  });
  return z.NEVER;
});

/** An issuer's answers decide who signs in, so nobody on the way may change them. */
function isSafe(address: string): boolean {
  return address.startsWith('https:') || isLoopback(new URL(address).hostname);
}

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address such as https://www.example.com' });

const schema = z.object({
  PORT: whole(3000, 0, 65535),
  HOST: z.string().default('localhost'),
  DATA_DIR: z.string().default('.data'),
  SITE_URL: webAddress.optional(),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((item) => item.trim()))
    .transform((list) => list.filter((item) => item !== ''))
    .pipe(z.array(webAddress.transform((value) => new URL(value).origin))),
  TRUST_PROXY: proxies.default(noProxies),
  CONNECTIONS_MAX: anyWhole(16, 1_000_000).optional(),
  CONNECTIONS_PER_ADDRESS: whole(256, 4, 1_000_000),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  DATABASE_POOL: whole(10, 1, 200),
  JOBS_IN_PROCESS: flag(true),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().optional(),
  CONTACT_TO: z.string().optional(),
  ALLOW_SANDBOX_PAYMENTS: flag(false),
  PAYMENT_PROVIDER: z.enum(['sandbox', 'stripe'], 'must be sandbox or stripe').default('sandbox'),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  OIDC_ISSUER: webAddress
    .refine(isSafe, 'must be an https address; http is for this computer alone, such as http://localhost:4000')
    .optional(),
  OIDC_CLIENT_ID: z.string().max(1024).optional(),
  OIDC_CLIENT_SECRET: z.string().max(1024).optional(),
  STRIPE_API_URL: webAddress.default('https://api.stripe.com').transform(withoutSlash),
  PAYMENT_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  UPLOAD_SIGNING_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  INSTALLER_BASE_URL: webAddress.optional(),
  REPAIR_TIMEOUT_SECONDS: whole(300, 1, 86_400),
  REPAIR_QUICK_SECONDS: whole(20, 1, 86_400),
  REPAIR_MEMORY_MB: whole(1024, 128, 65_536),
  REPAIR_FFMPEG: z.string().max(4096).optional(),
  REPAIR_CONCURRENCY: whole(1, 1, 64),
  REPAIR_SANDBOX: z.enum(['auto', 'require', 'off'], 'must be auto, require or off').default('auto'),
  LOG_FORMAT: z.enum(['text', 'json'], 'must be text or json').default('text'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  UPLOAD_STALL_SECONDS: whole(30, 1, 3600),
  UPLOAD_STALL_BYTES: whole(1024, 1, 1_000_000_000),
  UPLOAD_DISK_MB: whole(10_240, 1, 100_000_000),
  UPLOAD_TASKS_PER_CLIENT: whole(20, 1, 100_000),
  UPLOAD_TASKS_PER_ADDRESS: whole(400, 1, 1_000_000),
  RATE_LIMITS: flag(true),
  S3_ENDPOINT: webAddress.transform(withoutSlash).optional(),
  S3_PUBLIC_ENDPOINT: webAddress.transform(withoutSlash).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: flag(true),
  UPLOAD_RESUMABLE_MB: whole(64, 0, 100_000_000),
});

/**
 * The server's configuration, checked: the names are those of the environment, sizes and times in the unit that the
 * name says. `DATA_DIR` is absolute, `SITE_URL` and `INSTALLER_BASE_URL` have no trailing slash.
 */
export type Env = Omit<z.output<typeof schema>, 'SITE_URL' | 'MAIL_FROM' | 'CONTACT_TO'> & {
  SITE_URL: string;
  MAIL_FROM: string;
  CONTACT_TO: string;
};

/**
 * Parses an environment; an empty value counts as absent.
 * Throws a `StartError` whose message names each wrong variable and what it should be.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    throw wrong(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
  }
  const value = parsed.data;
  if (!value.JOBS_IN_PROCESS && !value.DATABASE_URL) {
    throw wrong(['JOBS_IN_PROCESS=0 needs DATABASE_URL: the embedded database belongs to one process']);
  }
  const halves = halfConfigured(value);
  if (halves.length > 0) throw wrong(halves);
  const faults = publicSetUpFaults(value);
  if (faults.length > 0) throw wrong(faults);
  const siteUrl = withoutSlash(value.SITE_URL ?? `http://${nameOf(value.HOST)}:${value.PORT}`);
  const mailFrom = value.MAIL_FROM ?? `${brands.mendara.name} <no-reply@${new URL(siteUrl).hostname}>`;
  return {
    ...value,
    DATA_DIR: path.resolve(/* turbopackIgnore: true */ value.DATA_DIR),
    SITE_URL: siteUrl,
    INSTALLER_BASE_URL: value.INSTALLER_BASE_URL && withoutSlash(value.INSTALLER_BASE_URL),
    MAIL_FROM: mailFrom,
    CONTACT_TO: value.CONTACT_TO ?? mailFrom,
  };
}

let parsedOnce: Env | undefined;

/** This process's configuration, parsed at the first call. Throws as {@link parseEnv} does. */
export function environment(): Env {
  parsedOnce ??= parseEnv(process.env);
  return parsedOnce;
}

/** How this computer is written in an address when it listens on `host`: every interface includes localhost. */
function nameOf(host: string): string {
  if (['0.0.0.0', '::', '*'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function wrong(lines: string[]): Error {
  return startError(`The configuration is not right:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

export { variables } from './env-variables';

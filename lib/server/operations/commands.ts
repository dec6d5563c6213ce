import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { endAllSessions } from '../accounts/end-session';
import { exportData } from '../accounts/export-data';
import type { User } from '../accounts/find-session';
import { logSecurity } from '../base/log';
import { type Outcome, refuse } from '../base/refusal';
import { inPlainWords } from '../base/start-error';
import type { Context } from '../context';
import { backUp } from '../db/backup';
import { users } from '../db/schema';
import { eraseUser } from '../erasure/erase-account';
import { bytesInStore } from '../uploads/room';
import { audited, listAudit } from './audit';
import { endLicence, refundOrder } from './change-purchase';
import { listTroubledJobs, retryJob } from './handle-jobs';
import { listMails, mailOrder, resendMail } from './handle-mails';
import { lookAtOrders } from './look-at-orders';
import { lookAtTask } from './look-at-task';
import { checkObjects, setObjectRules } from './object-rules';
import { queueState } from './queue-state';

/** What an operator can do, by the words of the command line. */
type Command = {
  /** What stands behind the words; empty where nothing does. */
  argument: string;
  what: string;
  /** True for what can't be taken back: it is done with `--yes` only. */
  isFinal?: true;
  run(ctx: Context, argument: string): Promise<Outcome<unknown>>;
};

const commands: Readonly<Record<string, Command>> = {
  orders: {
    argument: 'NUMBER or ADDRESS',
    what: 'orders with their licences and history',
    run: async (ctx, asked) => ok(await lookAtOrders(ctx, asked)),
  },
  refund: {
    argument: 'NUMBER',
    what: 'gives the money of an order back, ends its licence and tells the buyer',
    isFinal: true,
    run: refundOrder,
  },
  'licence end': {
    argument: 'CODE or NUMBER',
    what: 'ends a licence now; no money goes back',
    isFinal: true,
    run: endLicence,
  },
  'mails failed': {
    argument: '',
    what: 'mails that could not be delivered, and why',
    run: async (ctx) => ok(await listMails(ctx, 'failed')),
  },
  'mails queued': {
    argument: '',
    what: 'mails that wait to be sent',
    run: async (ctx) => ok(await listMails(ctx, 'queued')),
  },
  'mail resend': { argument: 'MAIL', what: 'sends a mail that was not delivered again', run: resendMail },
  'mail order': { argument: 'NUMBER', what: 'mails the buyer a link to the order and its licence', run: mailOrder },
  'jobs dead': {
    argument: '',
    what: 'jobs that were given up',
    run: async (ctx) => ok(await listTroubledJobs(ctx, 'dead')),
  },
  'jobs failed': {
    argument: '',
    what: 'jobs that failed at least once, those given up among them',
    run: async (ctx) => ok(await listTroubledJobs(ctx, 'failed')),
  },
  'job retry': { argument: 'JOB', what: 'has a job done again, with all its attempts', run: retryJob },
  task: { argument: 'KEY or NUMBER', what: 'a repair with its report', run: lookAtTask },
  'account export': {
    argument: 'ADDRESS',
    what: 'everything kept about an account holder',
    run: (ctx, address) => ofAccount(ctx, address, async (user) => ok(await exportData(ctx, { id: '', user }))),
  },
  'account sign-out': {
    argument: 'ADDRESS',
    what: 'ends every session of an account; the holder signs in anew',
    run: (ctx, address) =>
      ofAccount(ctx, address, async (user) => {
        await endAllSessions(ctx.db, user.id);
        logSecurity('sign-out', 'done', { account: user.id, by: 'operator' });
        return ok(null);
      }),
  },
  'account erase': {
    argument: 'ADDRESS',
    what: 'erases an account; paid orders stay, as the law asks',
    isFinal: true,
    run: (ctx, address) =>
      ofAccount(ctx, address, async (user) => {
        const erased = await eraseUser(ctx, user);
        logSecurity('erasure', erased.ok ? 'done' : 'failed', { account: user.id, by: 'operator' });
        return erased;
      }),
  },
  queue: {
    argument: '',
    what: 'jobs by lane, and for how long the oldest waits',
    run: async (ctx) => ok(await queueState(ctx)),
  },
  disk: {
    argument: '',
    what: 'room on the disk, and what uploads and results take',
    run: async (ctx) => ok({ ...(await ctx.objects.disk()), storeBytes: (await bytesInStore(ctx)).stored }),
  },
  'objects check': {
    argument: '',
    what: 'whether the object store answers and keeps the rules that it should',
    run: checkObjects,
  },
  'objects rules': {
    argument: '',
    what: 'sets those rules: leftovers go after a day, the site’s pages may send to it',
    run: setObjectRules,
  },
  backup: {
    argument: 'FILE',
    what: 'the embedded database and the secrets in one file; the server may run',
    run: backUpTo,
  },
  audit: { argument: '', what: 'what operators did last', run: async (ctx) => ok(await listAudit(ctx)) },
};

/** How the command line is used, for a person. */
export function usage(): string {
  const rows = Object.entries(commands).map(([name, { argument, what, isFinal }]) => [
    `${name}${argument ? ` ${argument}` : ''}${isFinal ? ' --yes' : ''}`,
    what,
  ]);
  const width = Math.max(...rows.map(([call = '']) => call.length));
  return ['npm run --silent admin -- …', ...rows.map(([call = '', what]) => `  ${call.padEnd(width)}  ${what}`)].join(
    '\n',
  );
}

/** Does what an operator asked for by the words of the command line, with a line in the audit log. */
export async function operate(ctx: Context, actor: string, words: readonly string[]): Promise<Outcome<unknown>> {
  const isSure = words.includes('--yes');
  const plain = words.filter((word) => word !== '--yes');
  const name = [plain.slice(0, 2).join(' '), plain[0] ?? ''].find((candidate) => Object.hasOwn(commands, candidate));
  const command = commands[name ?? ''];
  const [argument = '', ...rest] = plain.slice(name?.split(' ').length ?? 0);
  if (!name || !command) return refuse('invalidRequest', `There is no such command.\n${usage()}`);
  if (rest.length > 0 || (argument === '') !== (command.argument === '')) {
    const wanted = command.argument ? `wants one ${command.argument} behind it` : 'wants nothing behind it';
    return refuse('invalidRequest', `“${name}” ${wanted} (${command.what}).\n${usage()}`);
  }
  if (command.isFinal && !isSure) {
    return refuse('invalidRequest', `This can’t be taken back: it ${command.what}. Add --yes to do it.`);
  }
  const subject = await subjectOf(ctx, argument);
  return audited(ctx, { actor, act: name, subject }, () => command.run(ctx, argument));
}

async function backUpTo(ctx: Context, file: string): Promise<Outcome<unknown>> {
  if (ctx.handle.kind !== 'embedded') {
    return refuse(
      'unavailable',
      'PostgreSQL has tools of its own for this: take pg_dump, and copy DATA_DIR/secrets.json.',
    );
  }
  if (!path.isAbsolute(file)) return refuse('invalidRequest', 'Name the file from the root of the file system.');
  const folder = path.dirname(file);
  if (!fs.existsSync(folder)) return refuse('invalidRequest', `There is no folder ${folder}. Make it first.`);
  if (fs.existsSync(file)) return refuse('conflict', `${file} is there already. Name a new file.`);
  try {
    return ok({ file, bytes: await backUp(ctx.handle, ctx.env.DATA_DIR, file, ctx.now()) });
  } catch (error) {
    const { message } = inPlainWords(error, file) as Error;
    return refuse('unavailable', `The backup could not be written. ${message}`);
  }
}

/** What the audit log says that an act was about: numbers of ours. An address becomes the number of its account; keys and codes are left out. */
async function subjectOf(ctx: Context, argument: string): Promise<string> {
  if (argument.includes('@')) return (await accountOf(ctx, argument))?.id ?? '';
  return /^(MD[0-9A-Z]{26}|[0-9a-z]{26}|[0-9a-f]{64})$/i.test(argument) ? argument : '';
}

async function accountOf(ctx: Context, address: string): Promise<User | undefined> {
  const [user] = await ctx.db.select().from(users).where(eq(users.email, address.toLowerCase()));
  return user;
}

async function ofAccount(
  ctx: Context,
  address: string,
  work: (user: User) => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  const user = await accountOf(ctx, address);
  return user ? work(user) : refuse('notFound', 'There is no account of this address.');
}

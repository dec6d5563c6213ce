import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { refusals } from '../contract/errors';
import { writePrivately } from '../server/base/private-folder';
import type { Outcome } from '../server/base/refusal';
import { startError } from '../server/base/start-error';
import { environment } from '../server/config/env';
import { context } from '../server/context';
import { restore } from '../server/db/backup';
import { closeDatabase } from '../server/db/open';
import { operate, usage } from '../server/operations/commands';
import { sayPlainly } from './front/lifecycle';
import { askServer } from './front/operators';

/** Standard output belongs to the answer; lines of the log, where the work is done in this process, go to standard error. */
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** The account on this machine, for the audit log. */
function actor(): string {
  const { SUDO_USER: behindSudo } = process.env;
  const name = os.userInfo().username;
  return behindSudo ? `${behindSudo} as ${name}` : name;
}

/** Works on PostgreSQL at any time; on the embedded database through the running server, which alone may write to it, or on its own. */
async function outcomeOf(words: readonly string[]): Promise<Outcome<unknown>> {
  const env = environment();
  if (!env.DATABASE_URL) {
    const answer = await askServer(env.DATA_DIR, { actor: actor(), words });
    if (answer) return answer;
    if (!existsSync(path.join(env.DATA_DIR, 'database'))) {
      throw startError(`There is no database in ${env.DATA_DIR}. Set DATA_DIR to the server’s folder.`);
    }
  }
  writePrivately();
  try {
    return await operate(await context(), actor(), words);
  } finally {
    await closeDatabase();
  }
}

/** Has no line in the audit log, as it replaces the database in which that lies. */
async function restoreFrom(file: string): Promise<number> {
  const env = environment();
  if (env.DATABASE_URL) throw startError('PostgreSQL has tools of its own for this: take pg_restore.');
  writePrivately();
  const aside = await restore(env.DATA_DIR, file, new Date());
  const kept = aside ? ` What was there before is kept in ${aside}.` : '';
  print(`The database in ${env.DATA_DIR} is that of ${file} now.${kept}\n`);
  return 0;
}

/** Prints the answer as JSON; 0 when it was done, 1 with words when it was not. */
async function main(words: readonly string[]): Promise<number> {
  if (words.length === 0 || words.includes('--help')) {
    print(`${usage()}\n`);
    return words.length === 0 ? 1 : 0;
  }
  const [name, file, ...rest] = words;
  if (name === 'restore') {
    if (!file || rest.length > 0) throw startError('Name the one file of the backup: npm run restore FILE');
    return restoreFrom(file);
  }
  const outcome = await outcomeOf(words);
  if (outcome.ok) print(`${JSON.stringify(outcome.value, null, 2)}\n`);
  else process.stderr.write(`${outcome.error.msg ?? refusals[outcome.error.name].msg}\n`);
  return outcome.ok ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    sayPlainly(error);
    process.exit(1);
  },
);

import { parseArgs } from 'node:util';
import { writePrivately } from '../server/base/private-folder';
import { startError } from '../server/base/start-error';
import { environment } from '../server/config/env';
import { type Destination, move } from '../server/operations/move/move';
import { sayPlainly } from './front/lifecycle';

const USAGE = `npm run move -- --to-postgres postgres://user:password@host/name --to-s3

Moves the embedded installation in DATA_DIR, while no server runs on it, to either or both:
  --to-postgres URL  an empty database on PostgreSQL (MOVE_TO_POSTGRES keeps its password out of the list of processes)
  --to-s3            the object store that S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY name
Each row and each file is compared when it has arrived. Nothing is removed. After a break it is run again.
`;

/** Where to, by the words of the command line. */
function destination(args: string[]): Destination | null {
  try {
    const { values } = parseArgs({
      args,
      options: { 'to-postgres': { type: 'string' }, 'to-s3': { type: 'boolean' } },
    });
    const postgres = values['to-postgres'] ?? process.env.MOVE_TO_POSTGRES ?? null;
    if (postgres !== null && !(/^postgres(ql)?:\/\//.test(postgres) && URL.canParse(postgres))) return null;
    return postgres || values['to-s3'] ? { postgres, s3: values['to-s3'] === true } : null;
  } catch {
    return null;
  }
}

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return;
  }
  const to = destination(args);
  if (!to) throw startError(USAGE);
  writePrivately();
  const say = (words: string) => process.stdout.write(`${words}\n`);
  await move(environment(), to, say);
  const next = [...(to.postgres ? ['DATABASE_URL'] : []), ...(to.s3 ? ['the S3 variables'] : [])].join(' and ');
  say(`Start the servers with ${next} now, and with the same secrets: copy secrets.json into each DATA_DIR, or set`);
  say('UPLOAD_SIGNING_SECRET and PAYMENT_WEBHOOK_SECRET.');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  sayPlainly(error);
  process.exit(1);
});

import { tryNodes } from './trials';

/** `npm run e2e:nodes`: the long form; `npm run e2e:nodes -- short` the one that `npm test` runs. */
const isShort = process.argv[2] === 'short';
try {
  const ran = await tryNodes((line) => console.log(line), isShort);
  if (!ran) console.error('PostgreSQL (initdb and postgres) was not found, so nothing was tried.');
  process.exit(ran ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

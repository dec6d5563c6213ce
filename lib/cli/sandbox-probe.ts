import { look } from '../repair/host/processes/sandbox/look';

/** Looks around from where a repair would run and prints what it finds; its argument says what to look for, in JSON. */
process.stdout.write(JSON.stringify(await look(JSON.parse(process.argv[2] ?? '{}'))));

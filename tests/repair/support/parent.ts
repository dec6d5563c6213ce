import { basename, join } from 'node:path';
import { openSandbox, type SandboxOptions, Workplace } from '@/lib/repair/host/processes/sandbox';

/**
 * A program that repairs one file after another, each in a process of its own, two at a time, until it has done `count`. Its arguments:
 * whether repairs are shut in, the folder of the bundles, a folder to write to, the count, and the files, which are taken by turns.
 * Prints a line for each end.
 */
const [mode = 'auto', bundles = '', workFolder = '', count = '0', ...files] = process.argv.slice(2);
const sandbox = await openSandbox({ mode: mode as SandboxOptions['mode'], bundles, workFolder });
let next = 0;

async function work(): Promise<void> {
  while (next < Number(count)) {
    const input = files[next++ % files.length] ?? '';
    const place = await Workplace.make(workFolder, sandbox.user);
    const script = join(bundles, 'repair-child.mjs');
    const { child, seen } = await sandbox.start('repair', { input, place }, [script], { milliseconds: 60_000 });
    const said = { out: '', errors: '' };
    child.output?.on('data', (chunk: Buffer) => {
      said.out += chunk;
    });
    child.errors?.on('data', (chunk: Buffer) => {
      said.errors += chunk;
    });
    const job = { inputPath: seen.input, outputPath: seen.output, fileName: basename(input) };
    child.input?.write(`${JSON.stringify(job)}\n`);
    const { code } = await child.done;
    await place.remove();
    console.log(said.out.startsWith('{"report":') ? `${code}` : `failed: ${said.errors}`);
  }
}

await Promise.all([work(), work()]);

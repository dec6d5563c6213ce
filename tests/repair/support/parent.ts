import { join } from 'node:path';
import { start } from '@/lib/repair/host/processes';

/**
 * A program that repairs one file after another, each in a process of its own, two at a time, until it has done `count`. Its arguments:
 * the folder of the bundles, a folder to write to, the count, and the files, which are taken by turns. Prints a line for each end.
 */
const [folder = '', output = '', count = '0', ...files] = process.argv.slice(2);
let next = 0;

async function work(lane: number): Promise<void> {
  while (next < Number(count)) {
    const inputPath = files[next++ % files.length] ?? '';
    const child = start('repair', process.execPath, [join(folder, 'repair-child.mjs')], { milliseconds: 60_000 });
    const said = { out: '', errors: '' };
    child.output?.on('data', (chunk: Buffer) => {
      said.out += chunk;
    });
    child.errors?.on('data', (chunk: Buffer) => {
      said.errors += chunk;
    });
    const job = { inputPath, outputPath: join(output, `lane-${lane}`), fileName: inputPath };
    child.input?.write(`${JSON.stringify(job)}\n`);
    const { code } = await child.done;
    console.log(said.out.startsWith('{"report":') ? `${code}` : `failed: ${said.errors}`);
  }
}

await Promise.all([work(0), work(1)]);

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Bundles the decoder's process and the PDF readers' process for the tests of a suite, as the build does, and takes them away again. */
export function withChildren(): void {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(process.cwd(), 'node_modules', '.cache-decoder-'));
    // The command's parts in plain JavaScript have no types of their own.
    const step = new URL('../../../lib/cli/steps/build.mjs', import.meta.url).pathname;
    const { bundleServerCode } = (await import(step)) as { bundleServerCode: (to: string) => Promise<void> };
    await bundleServerCode(folder);
    process.env.MENDARA_MEDIA_CHILD = join(folder, 'media-child.mjs');
    process.env.MENDARA_PDF_CHILD = join(folder, 'pdf-child.mjs');
  });
  afterAll(async () => {
    delete process.env.MENDARA_MEDIA_CHILD;
    delete process.env.MENDARA_PDF_CHILD;
    await rm(folder, { recursive: true, force: true });
  });
}

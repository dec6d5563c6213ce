import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** The inline script, made small, as a module that the root layout reads. */
export function bootScriptModule(root) {
  // Whoever imports this file may be about to install it, or be no module.
  const { buildSync } = createRequire(resolve('package.json'))('esbuild');
  const built = buildSync({
    entryPoints: [join(root, 'lib', 'utils', 'boot.ts')],
    minify: true,
    write: false,
    target: 'es2021',
    // Without "use strict", which it does not need and would pay for.
    tsconfigRaw: { compilerOptions: { strict: false } },
  });
  const text = built.outputFiles[0].text.trim();
  return `// Made of lib/utils/boot.ts by lib/cli/steps/boot-script.mjs. Not to be edited.

/** The one inline script of ours. */
export const bootScript: string = ${JSON.stringify(text)};
`;
}

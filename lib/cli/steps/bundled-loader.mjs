import { build } from 'esbuild';

/** Loader of the site's bundler: bundles a file with all that it imports, and drops what it does not use. */
export default async function bundled() {
  const { outputFiles } = await build({
    entryPoints: [this.resourcePath],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

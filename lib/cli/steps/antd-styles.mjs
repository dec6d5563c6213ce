import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const TARGET = 'styles/antd.css';

/** The styles of antd's components that the screens use, taken out by drawing them once. */
async function antdStyles() {
  const { build } = await import('esbuild');
  const outfile = resolve(join('node_modules', '.cache', 'mendara', 'antd-styles', `${process.pid}.mjs`));
  await build({
    entryPoints: ['components/account/kit/extract.tsx'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    packages: 'external',
    logLevel: 'error',
  });
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  const program = await import(pathToFileURL(outfile).href);
  const css = program.antdStyles();
  process.env.NODE_ENV = before ?? '';
  if (before === undefined) delete process.env.NODE_ENV;
  return css;
}

/** Writes them where the screens import them; another build at the same time writes the same. */
export async function writeAntdStyles() {
  const css = await antdStyles();
  if (existsSync(TARGET) && readFileSync(TARGET, 'utf8') === css) return;
  const half = join('node_modules', '.cache', 'mendara', 'antd-styles', `${process.pid}.css`);
  writeFileSync(half, css);
  renameSync(half, TARGET);
}

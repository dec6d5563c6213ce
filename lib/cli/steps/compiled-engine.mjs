import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { filesBelow } from './fingerprint.mjs';

const engine = join('lib', 'repair');

/** Compiles every module of the repair engine into a folder of its own, each loaded once by whoever imports it; the folder. */
async function compile(root) {
  const sources = [...filesBelow(join(root, engine))].filter((path) => path.endsWith('.ts'));
  const hash = createHash('sha256');
  for (const path of sources)
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  const made = join(root, 'node_modules', '.cache', 'mendara', `engine-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(made)) return made;
  const { build } = await import('esbuild');
  const folder = mkdtempSync(join(root, 'node_modules', '.cache-engine-'));
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    outbase: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { '@': root },
    sourcemap: 'inline',
    logLevel: 'error',
  });
  mkdirSync(dirname(made), { recursive: true });
  try {
    renameSync(folder, made);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Another run of the tests may have made it meanwhile.
    if (!existsSync(made)) throw error;
  }
  return made;
}

/**
 * Has tests load the engine as the build compiles it, rather than module by module through Vite, where each use of an import is a
 * call: of its inner loops that makes several times the work.
 *
 * @param {string} root folder of the project
 * @returns {import('vite').Plugin}
 */
export function compiledEngine(root) {
  const inside = join(root, engine) + sep;
  let folder;
  return {
    name: 'compiled-engine',
    enforce: 'pre',
    async resolveId(source, importer) {
      const path = source.startsWith('@/')
        ? join(root, source.slice(2))
        : source.startsWith('.') && importer
          ? resolve(dirname(importer), source)
          : source;
      if (!`${path}${sep}`.startsWith(inside)) return null;
      const file = [`${path}.ts`, join(path, 'index.ts'), path].find(
        (name) => name.endsWith('.ts') && existsSync(name),
      );
      if (!file) return null;
      folder ??= compile(root);
      return join(await folder, relative(root, file).replace(/\.ts$/, '.mjs'));
    },
  };
}

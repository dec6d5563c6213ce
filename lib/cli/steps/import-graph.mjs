import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const source = /\.(ts|tsx|mts|mjs)$/;
const loaders = { ts: 'ts', mts: 'ts', tsx: 'tsx', mjs: 'js' };

/**
 * Imports of types alone vanish before esbuild resolves anything, but they tie folders together as well: each becomes
 * an import of the whole file.
 */
function withTypeImports(text) {
  return text.replace(/\b(?:import|export) type\b[^'";]*?\bfrom\s*(['"][^'"\n]+['"])/g, 'import $1');
}

/**
 * Every import of some source files, resolved: relative paths, aliases and dynamic imports alike.
 * `root` is the project's folder, `files` are paths below it. Returns `{ from, to, isPackage }` with paths below `root`,
 * or the package's name.
 */
export async function importGraph(root, files) {
  const { build } = await import('esbuild');
  const wanted = new Set(files.filter((file) => source.test(file)));
  const { metafile } = await build({
    absWorkingDir: root,
    // Named by number: `worker.ts` and `worker.mjs` may stand side by side.
    entryPoints: [...wanted].map((file, index) => ({ in: file, out: String(index) })),
    outdir: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    tsconfig: join(root, 'tsconfig.json'),
    loader: {
      '.scss': 'empty',
      '.css': 'empty',
      '.svg': 'empty',
      '.png': 'empty',
      '.json': 'empty',
      '.woff2': 'empty',
    },
    // Nothing may be dropped because its result is not used.
    treeShaking: false,
    plugins: [
      {
        name: 'type imports',
        setup(plugins) {
          plugins.onResolve({ filter: /^@\// }, ({ path, importer, resolveDir, kind, pluginData }) =>
            pluginData === 'again'
              ? undefined
              : plugins.resolve(path, { importer, resolveDir, kind, pluginData: 'again' }),
          );
          plugins.onLoad({ filter: source }, ({ path }) => {
            if (path.includes(`${sep}node_modules${sep}`)) return undefined;
            const ending = /[^.]+$/.exec(path)?.[0] ?? 'ts';
            return { contents: withTypeImports(readFileSync(path, 'utf8')), loader: loaders[ending] };
          });
        },
      },
    ],
  });
  const edges = [];
  for (const [from, { imports }] of Object.entries(metafile.inputs)) {
    const file = relative(root, join(root, from)).split(sep).join('/');
    if (!wanted.has(file)) continue;
    for (const { path, external } of imports) {
      edges.push(
        external && !path.startsWith('.')
          ? { from: file, to: packageOf(path), isPackage: true }
          : { from: file, to: relative(root, join(root, path)).split(sep).join('/'), isPackage: false },
      );
    }
  }
  return edges;
}

/** `antd/es/button` is `antd`, `@scope/name/part` is `@scope/name`, `node:fs` is itself. */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const source = /\.(ts|tsx|mts|mjs)$/;
const endings = ['', '.ts', '.tsx', '.mts', '.mjs', '/index.ts', '/index.tsx'];
const dynamicImport = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]\s*,?\s*\)/g;

/** Exports that somebody outside calls by their names: pages and routes by Next, configurations by their tools. */
const called = [
  /^app\/.*\/?(page|layout|route|error|global-error|not-found|loading|template|default|sitemap|robots|manifest|opengraph-image|icon)\.tsx?$/,
  /^[\w.-]+\.(ts|mjs)$/,
  /\.config\.ts$/,
];

/** Programs: what npm, a build or a test runner starts. Their text is what counts, not what they export. */
const programs = [/^lib\/cli\/[^/]+\.(mjs|ts)$/, /\.(test|spec)\.tsx?$/, /\.config\.ts$/];

/** `antd/es/button` is `antd`, `@scope/name/part` is `@scope/name`. */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const nameOf = ({ kind, name }) => (kind === 'Default' ? 'default' : kind === 'Name' ? name : '*');

/** What a module asks of others: `{ specifier, name }`, with `*` for all of it and null for its effects alone. */
function wantsOf(module, text) {
  const imported = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    (entries.length > 0 ? entries.map(({ importName }) => nameOf(importName)) : [null]).map((name) => ({
      specifier: moduleRequest.value,
      name,
    })),
  );
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries
      .filter(({ moduleRequest }) => moduleRequest)
      .map(({ moduleRequest, importName }) => ({ specifier: moduleRequest.value, name: nameOf(importName) })),
  );
  const later = [...text.matchAll(dynamicImport)].map(([, specifier]) => ({ specifier, name: '*' }));
  return [...imported, ...passedOn, ...later];
}

/** The names that a module exports. The type of what it exports goes with that, whether or not somebody names it. */
function givesOf(module, text) {
  const isOwnType = ({ isType, exportName }) => isType && text.split(new RegExp(`\\b${exportName.name}\\b`)).length > 2;
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter((entry) => ['Name', 'Default'].includes(entry.exportName.kind) && !isOwnType(entry))
    .map(({ exportName }) => nameOf(exportName));
}

function resolverOf(files) {
  const known = new Set(files);
  return (from, specifier) => {
    if (!/^(\.|@\/)/.test(specifier)) return null;
    const place = specifier.startsWith('@/') ? specifier.slice(2) : posix.join(dirname(from), specifier);
    return endings.map((ending) => place + ending).find((candidate) => known.has(candidate)) ?? null;
  };
}

/**
 * Names that are exported and that nobody else imports, and packages that nobody uses, each in words. `root` is the project's folder,
 * `files` are paths below it; `packages` are names of dependencies, those in `elsewhere` (name to reason) used in another way.
 */
export async function unusedIn(root, files, packages, elsewhere = {}) {
  const { parseSync } = await import('vite');
  const sources = files.filter((file) => source.test(file) && !file.endsWith('.d.mts'));
  const resolve = resolverOf(sources);
  const used = new Map();
  const usedPackages = new Set();
  const given = new Map();
  for (const file of sources) {
    const text = readFileSync(join(root, file), 'utf8');
    const { module } = parseSync(file, text);
    given.set(file, givesOf(module, text));
    for (const { specifier, name } of wantsOf(module, text)) {
      const target = resolve(file, specifier);
      if (target === null) usedPackages.add(packageOf(specifier));
      else used.set(target, (used.get(target) ?? new Set()).add(name));
    }
  }
  const idle = packages.filter((name) => !usedPackages.has(name) && !elsewhere[name]);
  return [
    ...[...given].flatMap(([file, names]) => unusedOf(root, sources, file, names, used.get(file))),
    ...idle.map((name) => `package.json: nobody uses ${name}.`),
  ];
}

/** What of a file nobody uses; `wanted` are the names that others import, undefined where no file imports it. */
function unusedOf(root, sources, file, names, wanted) {
  if (called.some((pattern) => pattern.test(file)) || wanted?.has('*')) return [];
  if (wanted) return names.filter((name) => !wanted.has(name)).map((name) => `${file}: nobody imports ${name}.`);
  if (isNamed(root, sources, file)) return [];
  if (!programs.some((pattern) => pattern.test(file))) return [`${file}: no file imports it.`];
  return names.map((name) => `${file}: nobody imports ${name}.`);
}

/** True for a file that others name by its path: a program that is started, a loader, a stand-in for a package. */
function isNamed(root, sources, file) {
  const name = posix.basename(file);
  return [...sources, 'package.json'].some((other) => {
    const text = other !== file && readFileSync(join(root, other), 'utf8');
    return (
      text &&
      (text.includes(`'${file}'`) ||
        text.includes(`'./${file}'`) ||
        text.includes(` ${file}"`) ||
        text.includes(`/${name}'`) ||
        text.includes(`'${name}'`))
    );
  });
}

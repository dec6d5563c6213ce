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

/** What a module asks of others, `{ specifier, name }` with `*` for all of it, and the names it exports itself. */
function recordOf(parse, file, text) {
  const { module } = parse(file, text);
  const wants = [];
  const gives = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    if (entries.length === 0) wants.push({ specifier: moduleRequest.value, name: null });
    for (const { importName } of entries) {
      const name = importName.kind === 'Default' ? 'default' : importName.kind === 'Name' ? importName.name : '*';
      wants.push({ specifier: moduleRequest.value, name });
    }
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      if (moduleRequest) {
        const name = importName.kind === 'Name' ? importName.name : '*';
        wants.push({ specifier: moduleRequest.value, name });
      }
      // The type of what a module exports is exported with it, whether or not somebody names it.
      const isOwnType = isType && text.split(new RegExp(`\\b${exportName.name}\\b`)).length > 2;
      if (exportName.kind === 'Name' && !isOwnType) gives.push(exportName.name);
      if (exportName.kind === 'Default') gives.push('default');
    }
  }
  for (const [, specifier] of text.matchAll(dynamicImport)) wants.push({ specifier, name: '*' });
  return { wants, gives };
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
    const { wants, gives } = recordOf(parseSync, file, readFileSync(join(root, file), 'utf8'));
    given.set(file, gives);
    for (const { specifier, name } of wants) {
      const target = resolve(file, specifier);
      if (target === null) usedPackages.add(packageOf(specifier));
      else used.set(target, (used.get(target) ?? new Set()).add(name));
    }
  }
  const complaints = [];
  for (const [file, names] of given) {
    if (called.some((pattern) => pattern.test(file))) continue;
    const wanted = used.get(file);
    if (!wanted && isNamed(root, sources, file)) continue;
    if (!wanted && !programs.some((pattern) => pattern.test(file))) complaints.push(`${file}: no file imports it.`);
    else if (!wanted?.has('*'))
      for (const name of names) if (!wanted?.has(name)) complaints.push(`${file}: nobody imports ${name}.`);
  }
  for (const name of packages)
    if (!usedPackages.has(name) && !elsewhere[name]) complaints.push(`package.json: nobody uses ${name}.`);
  return complaints;
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

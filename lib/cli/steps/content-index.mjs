import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootScriptModule } from './boot-script.mjs';
import { commonPasswordsModule } from './common-passwords.mjs';

/** The folders of content whose files are pages, and the address below which each is served. */
const folders = { products: '/', pages: '/', guides: '/user-guide/', articles: '/how-to/', legal: '/' };

/** Written by this step; ignored by git and by the fingerprint of the sources. */
export const GENERATED = join('lib', 'content', 'generated');

const NOTE = '// Written by lib/cli/steps/content-index.mjs from the files of the content folders. Not to be edited.\n';

/** Lower-case words with dashes: the file's name is the last part of the page's address. */
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The pages of one folder: the name of each file, and the address it stands for. */
function pagesIn(root, folder, prefix) {
  return readdirSync(join(root, 'lib', 'content', folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ name }) => name.slice(0, -'.ts'.length))
    .sort()
    .map((name) => {
      if (!SLUG.test(name)) throw new Error(`lib/content/${folder}/${name}.ts: the name of a page is its address`);
      return { name, path: folder === 'pages' && name === 'home' ? '/' : `${prefix}${name}` };
    });
}

function moduleOf(folder, pages) {
  const imports = pages.map(({ name }, index) => `import page${index} from '../${folder}/${name}';`);
  const entries = pages.map(({ path }, index) => `  '${path}': page${index},`);
  const type = folder === 'guides' ? 'GuideFile' : 'PageFile';
  return `${NOTE}import type { ${type} } from '../page';
${imports.join('\n')}

/** The pages of \`lib/content/${folder}\` by address. */
export const ${folder} = {
${entries.join('\n')}
} as const satisfies Record<string, ${type}>;
`;
}

/** Addresses with a route file of their own, below whichever group: the shared routes leave them out. */
function ownRoutes(root) {
  const found = [];
  const look = (folder, path) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name === 'page.tsx') found.push(path || '/');
      if (!entry.isDirectory() || entry.name.startsWith('[') || entry.name === 'api') continue;
      look(join(folder, entry.name), entry.name.startsWith('(') ? path : `${path}/${entry.name}`);
    }
  };
  look('app', '');
  return found.sort();
}

/** What the index consists of: the text of each file, by name. Throws when two files stand for one address. */
export function contentIndex(root = '.') {
  const files = {};
  const seen = new Map();
  for (const [folder, prefix] of Object.entries(folders)) {
    const pages = pagesIn(root, folder, prefix);
    for (const { name, path } of pages) {
      const file = `lib/content/${folder}/${name}.ts`;
      if (seen.has(path)) throw new Error(`${seen.get(path)} and ${file} are both the page ${path}`);
      seen.set(path, file);
    }
    files[`${folder}.ts`] = moduleOf(folder, pages);
  }
  const routes = ownRoutes(root).map((path) => `  '${path}',`);
  files['own-routes.ts'] =
    `${NOTE}\n/** Addresses that have a route file of their own. */\nexport const ownRoutes: readonly string[] = [\n${routes.join('\n')}\n];\n`;
  return files;
}

/**
 * Writes the index of all pages, the list of the most used passwords and the inline script, for the type check, the build and the tests,
 * which all read the same. A file that says the same already is left alone.
 */
export function writeContentIndex(root = '.') {
  const target = join(root, GENERATED);
  mkdirSync(target, { recursive: true });
  const files = {
    ...contentIndex(root),
    'common-passwords.ts': commonPasswordsModule(root),
    'boot-script.ts': bootScriptModule(root),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(target, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    // Whole or not at all, as another step may be reading it.
    const half = join(target, `.${name}.${process.pid}`);
    writeFileSync(half, text);
    renameSync(half, path);
  }
}

// `npm run lint:unused`: exports that nobody imports, files that nobody reaches, packages that nobody uses.
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { contentIndex, GENERATED } from './steps/content-index.mjs';
import { filesBelow } from './steps/fingerprint.mjs';
import { unusedIn } from './steps/unused.mjs';

/** Packages that no import names, and where they are used. */
const elsewhere = {
  '@biomejs/biome': 'the linter, by its command',
  '@ffmpeg/core': 'loaded by its path, as it is a program',
  '@fontsource-variable/funnel-display': 'files of its font, by their paths',
  '@fontsource-variable/funnel-sans': 'files of its font, by their paths',
  '@testing-library/dom': 'a peer of the other testing libraries',
  '@zxcvbn-ts/language-common': 'asked for by its name by the step that takes the list of passwords out of it',
  '@vitest/coverage-v8': 'asked for by its name by npm run coverage',
  ogv: 'loaded by the path of its decoder of AV1',
  jsdom: 'the environment of unit tests, by its name',
  s3rver: 'started as a program by the tests of the object store',
  sass: 'Next compiles our styles with it',
  typescript: 'the type check, by its command',
};

const folders = ['app', 'components', 'lib', 'services', 'store', 'tests'];
const files = [...folders.flatMap((folder) => [...filesBelow(folder)]), ...readdirSync('.')]
  .map((file) => relative('.', file).split(sep).join('/'))
  .filter((file) => /\.(ts|tsx|mjs|mts)$/.test(file) && !file.startsWith(`${GENERATED}/`));
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
// Types belong to the package that they describe, or to the platform.
const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
// The index of the content's pages is generated, and what it names is used; so is the list of passwords.
for (const name of [...Object.keys(contentIndex()), 'common-passwords.ts']) files.push(`${GENERATED}/${name}`);
const complaints = await unusedIn('.', files, names, elsewhere);
for (const complaint of complaints) console.error(complaint);
console.log(complaints.length === 0 ? 'Every export and every package is used.' : `${complaints.length} of them.`);
process.exit(complaints.length > 0 ? 1 : 0);

// `npm run lint:imports`: who may import whom, and that the guide says the same. `--write` brings the guide up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { forbiddenImports, layers, layersAsMarkdown } from './layers.mjs';
import { filesBelow } from './steps/fingerprint.mjs';
import { importGraph } from './steps/import-graph.mjs';

const guide = 'lib/README.md';
const begin = '<!-- the table of lib/cli/layers.mjs, printed by npm run lint:imports -- --write -->';
const end = '<!-- end of the table -->';

function withTable(text) {
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${guide} has no place for the table of imports.`);
  return `${before}${begin}\n${layersAsMarkdown()}\n${end}${after}`;
}

const roots = new Set(layers.map(({ area }) => area.split('/')[0]));
const files = [...roots]
  .flatMap((root) => [...filesBelow(root)])
  .map((file) => relative('.', file).split(sep).join('/'));
const sources = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
const complaints = forbiddenImports(await importGraph(process.cwd(), sources));
const text = readFileSync(guide, 'utf8');
if (process.argv.includes('--write')) writeFileSync(guide, withTable(text));
else if (withTable(text) !== text) complaints.push(`${guide} prints an old table: npm run lint:imports -- --write`);
for (const complaint of complaints) console.error(complaint);
console.log(
  `${sources.length} files import as lib/cli/layers.mjs allows${complaints.length ? ', but for the above' : ''}.`,
);
process.exit(complaints.length > 0 ? 1 : 0);

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { unusedIn } from '@/lib/cli/steps/unused.mjs';

const copy = mkdtempSync(path.join(tmpdir(), 'mendara-unused-'));
afterAll(() => rmSync(copy, { recursive: true }));

function put(files: Record<string, string>): string[] {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), text);
  }
  return Object.keys(files);
}

it('names exports, files and packages that nobody uses, and none that somebody does', async () => {
  const files = put({
    'package.json': '{"scripts":{"bench":"node tool.mjs tests/bench/main.ts"}}',
    'app/page.tsx':
      "import { used } from '../lib/used';\nimport dear from 'dear/part';\nexport default () => dear(used);",
    'app/late.ts': "export const load = () => import('@/lib/whole');",
    'lib/used.ts':
      'export const used = 1;\nexport const spare = 2;\nexport type Shape = { side: Side };\nexport type Side = 1;',
    'lib/whole.ts': 'export const one = 1;\nexport default 2;',
    'lib/again.ts': "export { one as first } from './whole';\nexport * as all from './used';",
    'lib/alone.ts': 'const quiet = 1;\nexport { quiet as loud };',
    'tests/bench/main.ts':
      "import { load } from '../../app/late';\nimport { first } from '../../lib/again';\nload(first);",
  });
  const complaints = await unusedIn(copy, files, ['dear', 'spare', 'named'], { named: 'by its command' });
  expect(complaints).toEqual([
    'lib/again.ts: nobody imports all.',
    'lib/alone.ts: no file imports it.',
    'package.json: nobody uses spare.',
  ]);
});

it('knows a re-exported name from one that is only exported', async () => {
  const files = put({
    'app/page.tsx': "import { first } from '../lib/index';\nexport default first;",
    'lib/index.ts': "export { one as first, two } from './parts';",
    'lib/parts.ts': 'export const one = 1;\nexport const two = 2;\nexport const three = 3;\nexport type Lost = 1;',
  });
  expect(await unusedIn(copy, files, [])).toEqual([
    'lib/index.ts: nobody imports two.',
    'lib/parts.ts: nobody imports three.',
    'lib/parts.ts: nobody imports Lost.',
  ]);
});

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areaOf, forbiddenImports, layers, serverFloors } from '@/lib/cli/layers.mjs';
import { importGraph } from '@/lib/cli/steps/import-graph.mjs';

/** Wrong imports, however they are written: the probing file, and its text. */
const wrong: [string, string][] = [
  ['app/(site)/probe.ts', "export * from '../../lib/server/there';"],
  ['app/(app)/probe.ts', "import type { There } from '@/services/there';\nexport type X = There;"],
  ['app/api/probe.ts', "export const load = () => import('../../lib/repair/there');"],
  ['components/ui/probe.tsx', "import { there } from '../../store/there';\nexport const X = () => <p>{there}</p>;"],
  ['components/sections/probe.ts', "import '../../services/there';"],
  ['components/layout/probe.ts', "export type { There } from '@/store/there';"],
  ['components/actions/probe.ts', "export { there } from '../sections/there';"],
  ['components/repair/probe.ts', "import {\n  type There,\n} from '@/lib/repair/there';\nexport type X = There;"],
  ['components/account/probe.ts', "import axios from 'axios';\nexport { axios };"],
  ['components/sections/antd-probe.ts', "export const load = () => import('antd/es/button');"],
  ['store/probe.ts', "export { there } from '../components/ui/there';"],
  ['services/probe.ts', "export { there } from '../store/there';"],
  ['lib/server/probe.ts', "export { there } from '../../services/there';"],
  ['lib/server/orders/probe.ts', "export { there } from '../settlement/there';"],
  ['lib/server/context.ts', "export { there } from './orders/there';"],
  ['lib/server/unnamed/probe.ts', "export { there } from '../base/there';"],
  ['lib/repair/probe.ts', "export { there } from '../contract/there';"],
  ['lib/repair/node-probe.ts', "export { readFileSync } from 'node:fs';"],
  ['lib/repair/bare-probe.ts', "export const load = () => import('child_process');"],
  ['lib/repair/types-probe.ts', "import type { Readable } from 'node:stream';\nexport type X = Readable;"],
  ['lib/repair/sharp-probe.ts', "export const load = () => import('sharp');"],
  ['lib/repair/host/probe.ts', "export { there } from '../there';"],
  ['lib/content/probe.ts', "export { there } from '../server/there';"],
  ['lib/catalog/probe.ts', "export { there } from '@/lib/content/there';"],
  ['lib/catalog/engine-probe.ts', "export { there } from '../repair/there';"],
  ['lib/repair/formats/table.ts', "export { there } from '../there';"],
  ['lib/contract/probe.ts', "export { there } from '@/lib/server/../server/there';"],
];

/** Imports that the table allows. */
const right: [string, string][] = [
  ['app/(site)/right.ts', "export { there } from '@/components/sections/there';"],
  ['components/account/right.ts', "export const load = () => import('@/services/there');"],
  ['lib/server/right.ts', "export { there } from '../repair/there';"],
  ['lib/server/orders/right.ts', "export { there } from '../base/there';\nexport * from '../payment/there';"],
  ['lib/catalog/right.ts', "export { there } from '../repair/formats/table';"],
  ['lib/repair/right.ts', "export { there } from './host/there';"],
  ['lib/repair/host/right.ts', "export { readFileSync } from 'node:fs';"],
  ['services/right.ts', "import axios from 'axios';\nexport { axios };"],
];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'mendara-imports-'));
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), `${text}\n`);
  };
  cpSync('tsconfig.json', path.join(copy, 'tsconfig.json'));
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  for (const { area } of layers) {
    put(area.endsWith('.ts') ? area : `${area}/there.ts`, 'export const there = 1;\nexport type There = number;');
  }
  for (const floor of serverFloors) put(`lib/server/${floor}/there.ts`, 'export const there = 1;');
  for (const [file, text] of [...wrong, ...right]) put(file, text);
});
afterAll(() => rmSync(copy, { recursive: true }));

const judge = async (files: string[]) => forbiddenImports(await importGraph(copy, files));

describe('import directions', () => {
  it.each(wrong)('%s is refused: %s', async (file) => {
    const [complaint, ...more] = await judge([file]);
    expect(complaint).toMatch(new RegExp(`^${file.replace(/[()[\].]/g, '\\$&')} (imports|stands) `));
    expect(more).toEqual([]);
  });

  it('what the table names is allowed', async () => {
    expect(await judge(right.map(([file]) => file))).toEqual([]);
  });

  it('the longest area decides, and the table names only areas that it has', () => {
    expect(areaOf('app/(site)/x/page.tsx')).toBe('app/(site)');
    expect(areaOf('app/layout.tsx')).toBe('app');
    expect(areaOf('tests/unit/x.ts')).toBeUndefined();
    const areas = layers.map(({ area }) => area);
    expect(layers.flatMap(({ may }) => may).filter((name) => !areas.includes(name))).toEqual([]);
  });
});

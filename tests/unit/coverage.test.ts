// @vitest-environment node
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coverageByFolder, coverageTable, floors } from '@/lib/cli/steps/coverage.mjs';

describe('coverage by folder', () => {
  it('adds the lines of the files of each folder, and names what is below its floor', () => {
    const lines = (total: number, covered: number) => ({ lines: { total, covered } });
    const rows = coverageByFolder(
      { '/here/store/a.ts': lines(10, 10), '/here/store/b/c.ts': lines(30, 20), '/here/other/d.ts': lines(9, 0) },
      '/here',
    );
    const store = rows.find(({ folder }) => folder === 'store');
    expect(store).toEqual({ folder: 'store', files: 2, percent: 75, floor: floors.store });
    const { lines: printed, below } = coverageTable([{ folder: 'store', files: 2, percent: 75, floor: 75.1 }]);
    expect(printed[1]).toMatch(/^store +2 +75\.0 % +75\.1 %$/);
    expect(below).toEqual(['store']);
  });

  it('has floors for folders that are there', () => {
    expect(Object.keys(floors).filter((folder) => !existsSync(folder))).toEqual([]);
  });
});

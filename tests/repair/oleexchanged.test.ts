import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchanged } from './support/exchanged';
import { repairBytes } from './support/run';

const fixture = (name: string) => gunzipSync(readFileSync(new URL(`fixtures/${name}.gz`, import.meta.url)));
const table = fixture('libreoffice-table.xls');
const slides = fixture('libreoffice-slides.ppt');

describe('pieces of a workbook or presentation that changed places', () => {
  it.each([
    ['cells', table, 'table.xls', [4, 9], 512],
    ['more cells', table, 'table.xls', [12, 20], 512],
    ['clusters', table, 'table.xls', [1, 3], 4096],
    ['slides', slides, 'slides.ppt', [1, 4], 4096],
  ] as const)('go back, as the records show: %s', async (_, whole, name, pair, size) => {
    const { report, output } = await repairBytes(exchanged(whole, [pair], size), name);
    expect(report.found.map(({ kind }) => kind)).toEqual(['exchanged']);
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });
});

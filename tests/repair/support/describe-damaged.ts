import { describe, expect, it } from 'vitest';
import { damaged, type Recipe } from './damage';
import { originals } from './originals';
import { largeWriter } from './originals/jpeg';
import { groups, recipesFor } from './recipes';
import { repairBytes } from './run';
import { scoreAgainst } from './score';

/** The least mean value a group must keep over these recipes: what it has, rounded down. The bench has the full table. */
const floors: Record<string, number> = {
  JPEG: 0.95,
  PNG: 0.95,
  TIFF: 0.957,
  'DOCX/XLSX/PPTX': 0.992,
  PDF: 0.979,
  'DOC/XLS/PPT': 0.996,
};

/** Damage that must cost nothing at all, by group. */
const lossless: Record<string, string[]> = {
  JPEG: [
    'SOI wiped',
    'EOI cut',
    'SOF wiped',
    'height zeroed',
    'junk of 300 bytes before',
    'LF became CRLF',
    'segment lengths wrong',
  ],
  PNG: ['signature wiped', 'IHDR zeroed', 'check sums wrong', 'chunk lengths wrong', 'IEND cut', 'LF became CRLF'],
  TIFF: ['byte order wiped', 'directory offset wrong', 'junk of 300 bytes before'],
  'DOCX/XLSX/PPTX': [
    'central directory cut off',
    'end record cut off',
    'local signatures wiped',
    'check sums wrong',
    'junk of 300 bytes before',
    'LF became CRLF',
    'zeroes of 150,000 after',
  ],
  PDF: [
    'startxref wrong',
    'xref wiped',
    'trailer wiped',
    'endobj wiped',
    'endstream wiped',
    'lengths wrong',
    'catalogue wiped',
    'LF became CRLF',
  ],
  'DOC/XLS/PPT': [
    'signature wiped',
    'header wiped',
    'allocation table wiped',
    'directory wiped',
    'junk of 300 bytes before',
    'LF became CRLF',
    'zeroes of 150,000 after',
  ],
};

type Case = { format: string; writer: string; recipe: Recipe; original: Buffer; bytes: Buffer };

async function casesOf(group: string): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { format, writer, bytes: original } of await originals()) {
    // The same packages stored in another way add time here and nothing new; JPEG inside TIFF is repaired by its head only.
    if (groups[format] !== group || writer.startsWith('fflate') || writer.endsWith('JPEG inside')) continue;
    // The large pictures are the bench's.
    if (writer === largeWriter || writer.endsWith('large')) continue;
    for (const recipe of recipesFor(format)) {
      // Two gaps are neither the simplest nor the hardest case; the bench has them.
      if (recipe.name.endsWith(' twice')) continue;
      // Writers times recipes are many: each fifth pair here, all of them in the bench; what must cost nothing always.
      const isSpared = (writer.length + recipe.name.length) % 5 > 0 && !lossless[group]?.includes(recipe.name);
      if (isSpared) continue;
      const bytes = damaged(original, recipe, 1);
      if (bytes) cases.push({ format, writer, recipe, original, bytes });
    }
  }
  return cases;
}

/** Repairs every original of these groups, damaged by every recipe, and holds each result and their mean to what must come back. */
export function describeDamaged(names: readonly string[]): void {
  describe.each(names)('damaged %s', (group) => {
    it('gives back what can be read, and never less than before', async () => {
      const values: number[] = [];
      for (const { format, writer, recipe, original, bytes } of await casesOf(group)) {
        const name = `${format} by ${writer}, ${recipe.name}`;
        const { report, output, inputUntouched } = await repairBytes(bytes, `file.${format}`);
        const before = await scoreAgainst(format, original, bytes);
        const after = output ? await scoreAgainst(format, original, output) : 0;
        values.push(after);
        expect(inputUntouched, name).toBe(true);
        expect(report.verdict === 'unrepairable', name).toBe(output === null);
        expect(report.output === null, name).toBe(output === null);
        // A block that a decoder shows by chance may go with what stood around it; of a thousand files three lose so little.
        expect(after, `${name}: worse than before`).toBeGreaterThanOrEqual(before - 0.011);
        if (report.verdict !== 'healthy') expect(report.found.length, name).toBeGreaterThan(0);
        if (report.verdict === 'repaired') expect(report.lost, name).toEqual([]);
        if (report.verdict === 'partly') expect(report.lost.length, name).toBeGreaterThan(0);
        if (lossless[group]?.includes(recipe.name) && !writer.endsWith('progressive')) {
          expect(after, `${name}: ${report.summary}`).toBe(1);
        }
      }
      expect(values.length).toBeGreaterThan(10);
      expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeGreaterThan(floors[group] ?? 1);
    });
  });
}

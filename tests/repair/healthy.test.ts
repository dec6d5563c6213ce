import { describe, expect, it } from 'vitest';
import { originals } from './support/originals';
import { repairBytes } from './support/run';

const files = await originals();

describe('healthy files', () => {
  for (const original of files) {
    it(`returns ${original.format} by ${original.writer} byte for byte`, async () => {
      const { report, output } = await repairBytes(original.bytes, `file.${original.format}`);
      expect(report.found).toEqual([]);
      expect(report.verdict).toBe('healthy');
      expect(report.format).toBe(original.format);
      expect(output?.equals(original.bytes)).toBe(true);
      expect(report.output).toEqual(report.input);
    });
  }
});

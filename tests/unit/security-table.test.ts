// @vitest-environment node
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '@/lib/cli/steps/fingerprint.mjs';

const text = readFileSync('.github/SECURITY.md', 'utf8');
const rows = text.split('\n').filter((line) => /^\| \d+\.\d+\.\d+/.test(line));

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; those of level 3 come after them. */
const requirements: Record<string, number> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
}; // prettier-ignore

describe('the table of ASVS 5.0', () => {
  it('has every requirement of levels 1 and 2 once', () => {
    const wanted = Object.entries(requirements).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
    );
    const named = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((id) => id.trim()));
    expect([...named].sort()).toEqual([...wanted].sort());
  });

  it('names files that are there, and one in every row that says that something holds', () => {
    for (const row of rows) {
      const [, , what = '', shown = ''] = row.split('|');
      const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
      const isElsewhere = /^ (Does not apply|Operator|Open|Departs|None|The table)/.test(what);
      expect(isElsewhere || files.length > 0, row).toBe(true);
    }
    for (const [, file = ''] of text.matchAll(/\| `((?:lib|tests)\/[^`]+)`/g))
      expect(existsSync(file), file).toBe(true);
  });
});

describe('what that table says of the whole code', () => {
  const sources = ['app', 'lib/server', 'lib/cli/front', 'lib/contract']
    .flatMap((folder) => [...filesBelow(folder)])
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, code: readFileSync(path, 'utf8') }));

  it.each([
    ['makes a regular expression of input', /new RegExp\(/],
    ['takes any certificate', /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/],
    ['evaluates text', /\beval\(|new Function\(/],
  ])('nothing on the server %s', (_, pattern) => {
    expect(sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([]);
  });
});

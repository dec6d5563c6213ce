import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import { filesBelow } from '@/lib/cli/steps/fingerprint.mjs';

/** Comparisons with larger numbers say what the number is, by its name. */
const mostBare = 20;
const comparisons = new Set(['<', '<=', '>', '>=', '===', '!==']);
const arithmetic = new Set(['+', '-', '*', '/', '%']);

type Node = { type: string; operator?: string; value?: unknown; raw?: string; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Sizes of fields and their masks: powers of two, and one less. */
const isMask = (value: number) =>
  Number.isInteger(value) && ((value & (value - 1)) === 0 || (value & (value + 1)) === 0);

/** Numbers that are compared with something, or are added to or taken times what is, without a name; signatures in hexadecimal are read as such. */
function bareNumbers(node: unknown, isCompared: boolean): string[] {
  if (Array.isArray(node)) return node.flatMap((item) => bareNumbers(item, isCompared));
  if (!isNode(node)) return [];
  const { type, operator = '', value, raw = '' } = node;
  if (type === 'Literal')
    return isCompared && typeof value === 'number' && value > mostBare && !isMask(value) && !/^0x/i.test(raw)
      ? [raw]
      : [];
  const isWithin =
    isCompared && ((type === 'BinaryExpression' && arithmetic.has(operator)) || type === 'UnaryExpression');
  const isHere = (type === 'BinaryExpression' && comparisons.has(operator)) || isWithin;
  return Object.entries(node).flatMap(([key, item]) => (key === 'type' ? [] : bareNumbers(item, isHere)));
}

it('finds a number without a name in a comparison, and only there', () => {
  const found = (text: string) => bareNumbers(parseSync('a.ts', text).program, false);
  expect(found('if (at + 30 <= length) x();')).toEqual(['30']);
  expect(found('while (count < 40 && (flags & 63) !== -51) x(70);')).toEqual(['40', '51']);
  expect(found('const most = 300; if (at < most && size === 4096 && tag === 0x8769 && n > 12) y[90] = 80;')).toEqual(
    [],
  );
});

it('in the engine every number over 20 that something is compared with has a name', () => {
  const bare = [...filesBelow('lib/repair')]
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      bareNumbers(parseSync(path, readFileSync(path, 'utf8')).program, false).map((raw) => `${path}: ${raw}`),
    );
  expect(bare).toEqual([]);
});

// @vitest-environment node
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { HEAP_GROWTH } from '@/lib/cli/front/heap';

/** Keeps some 40 MB alive, replaces a thirtieth of it at a time, and prints the most bytes that the heap took. */
const churn = `
const make = () => Array.from({ length: 14_000 }, (_, at) => ({ at, text: 'x' + at, more: [at, at + 1] }));
const live = Array.from({ length: 30 }, make);
let most = 0;
for (let round = 0; round < 300; round += 1) {
  live[round % 30] = make();
  most = Math.max(most, process.memoryUsage().heapTotal);
}
console.log(most);`;

const mostWith = (...flags: string[]) =>
  Number(execFileSync(process.execPath, [...flags, '--input-type=module', '-e', churn]).toString());

it('keeps a busy heap well below the size that it takes by itself', () => {
  expect(mostWith(HEAP_GROWTH)).toBeLessThan(0.75 * mostWith());
});

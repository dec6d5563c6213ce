import { expect, it } from 'vitest';
import { fuzz } from './fuzz/fuzz';

// A share of `npm run fuzz:repair`, which mutates 20,000.
it.each([1, 21])('survives 20 mutated files of every format with a valid report, from number %i on', async (start) => {
  expect(await fuzz(start, 20)).toEqual([]);
});

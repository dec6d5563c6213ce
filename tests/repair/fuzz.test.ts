import { expect, it } from 'vitest';
import { fuzz } from './fuzz/fuzz';

it('survives mutated files of every format with a valid report', async () => {
  expect(await fuzz(1, 120)).toEqual([]);
});

import { expect, it } from 'vitest';
import { fuzz } from './fuzz/fuzz';

// A share of `npm run fuzz:repair -- 5000 1 videos`.
it('survives mutated videos of every layout with a valid report', async () => {
  expect(await fuzz(1, 100, 'videos')).toEqual([]);
});

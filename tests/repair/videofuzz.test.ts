import { expect, it } from 'vitest';
import { fuzz } from './fuzz/fuzz';

it('survives mutated videos of every layout with a valid report', async () => {
  expect(await fuzz(1, 300, 'videos')).toEqual([]);
}, 120_000);

import { expect, it } from 'vitest';
import { fuzz } from './fuzz/fuzz';

it.each([1, 41, 81])(
  'survives 40 mutated files of every format with a valid report, from number %i on',
  async (start) => {
    expect(await fuzz(start, 40)).toEqual([]);
  },
);

import { describe, expect, it } from 'vitest';
import { guessHeader } from '../../lib/repair/formats/png/guess';
import { Deadline, Effort } from '../../lib/repair/report';
import { randomFrom } from './support/random';

const [width, height] = [600, 200];

/** Rows without filters, so many bytes each, as `value` gives them. */
function rowsOf(bytes: number, value: (at: number) => number): Buffer {
  const data = Buffer.alloc(height * (bytes + 1));
  for (let row = 0; row < height; row++)
    for (let at = 0; at < bytes; at++) data[row * (bytes + 1) + 1 + at] = value(at);
  return data;
}

const deadline = new Deadline(1e9, () => 0, new Effort(1e6));
const guess = (data: Buffer) => guessHeader({ data, known: null, complete: true }, 0, null, deadline);

describe('rows of a PNG whose header is gone', () => {
  it('are not taken for pixels with opacity where they are numbers of lost colours', () => {
    const random = randomFrom(3);
    expect(guess(rowsOf(width, () => 5 + Math.floor(random() * 30)))).toBeNull();
  });

  it('are where their last bytes are alike', () => {
    const random = randomFrom(3);
    const data = rowsOf(width * 4, (at) => (at % 4 === 3 ? 255 : 5 + Math.floor(random() * 30)));
    expect(guess(data)?.header).toMatchObject({ width, height, colour: 6, depth: 8 });
  });
});

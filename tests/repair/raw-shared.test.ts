import { describe, expect, it } from 'vitest';
import { sharePlaces } from '../../lib/repair/formats/raw/kinds/tiff/sensor';

type Pieces = Parameters<typeof sharePlaces>[0];

/** An image whose pieces stand at these places, each of so many bytes. */
const imageOf = (places: readonly number[], count: number): Pieces =>
  ({ pieces: places.map((at) => ({ at, count, width: 16, height: 16 })) }) as unknown as Pieces;

describe('pieces of sensor data that lie in each other’s places', () => {
  it('are told, however many there are', () => {
    expect(sharePlaces(imageOf(Array<number>(100_000).fill(1000), 90_000), 20_000_000)).toBe(true);
    expect(sharePlaces(imageOf([1000, 1000, 1000], 19_000), 20_000)).toBe(true);
  });

  it('are none where they follow each other, or the length of one is far too large', () => {
    expect(
      sharePlaces(
        imageOf(
          Array.from({ length: 200 }, (_, index) => index * 100),
          100,
        ),
        20_000,
      ),
    ).toBe(false);
    expect(sharePlaces(imageOf([1000], 0xffffffff), 20_000)).toBe(false);
  });
});

import { originals } from '../support/originals';
import { randomBytes, randomFrom } from '../support/random';
import { videoFiles } from '../support/videos';

/** What is mutated: photos and documents, or videos. */
export type FuzzGroup = 'files' | 'videos';

/** Changes a file as neither transfer nor disk would: random bytes, lengths, swaps, repeats, splices of two files. */
function mutate(bytes: Buffer, other: Buffer, random: () => number): Buffer {
  let result = Buffer.from(bytes);
  const at = () => Math.floor(random() * result.length);
  const rounds = 1 + Math.floor(random() * 5);
  for (let round = 0; round < rounds && result.length > 4; round++) {
    const place = at();
    const length = Math.floor(random() ** 3 * 2000) + 1;
    switch (Math.floor(random() * 8)) {
      case 0:
        result[place] = Math.floor(random() * 256);
        break;
      case 1:
        randomBytes(random, Math.min(length, result.length - place)).copy(result, place);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, place), result.subarray(place + length)]);
        break;
      case 3:
        result = Buffer.concat([
          result.subarray(0, place),
          result.subarray(place, place + length),
          result.subarray(place),
        ]);
        break;
      case 4:
        result.writeUInt32LE(Math.floor(random() * 4294967296), Math.min(place, result.length - 4));
        break;
      case 5:
        result.fill([0, 0xff, 0x80][Math.floor(random() * 3)] ?? 0, place, Math.min(result.length, place + length));
        break;
      case 6:
        result = Buffer.concat([
          result.subarray(0, place),
          other.subarray(Math.floor(random() * other.length)),
        ]).subarray(0, 2_000_000);
        break;
      default:
        result = result.subarray(0, place);
    }
  }
  return result;
}

async function filesOf(group: FuzzGroup): Promise<readonly { format: string; bytes: Buffer }[]> {
  if (group === 'videos') return videoFiles;
  return (await originals()).filter(({ writer }) => !writer.endsWith('large'));
}

/** Mutated file number `number`. */
export async function mutated(number: number, group: FuzzGroup): Promise<{ format: string; bytes: Buffer }> {
  const random = randomFrom(number * 2654435761);
  const files = await filesOf(group);
  const pick = () => {
    const file = files[Math.floor(random() * files.length)];
    if (!file) throw new Error('There are no originals to mutate.');
    return file;
  };
  const [{ format, bytes }, other] = [pick(), pick()];
  return { format, bytes: mutate(bytes, other.bytes, random) };
}

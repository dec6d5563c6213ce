import { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/photo';
import { formatsOf } from '../table';
import { searchDirectories } from '../tiff/directory';

/** A raw photo with another head, and what was done for that. */
export type Candidate = { data: Buffer; step: Step };

/** Ways to write the head of a raw photo anew. The rest of the file stays as it is. */
export function headCandidates(format: string, bytes: Buffer): Candidate[] {
  const list: Candidate[] = [];
  const add = (head: Buffer, how: 'written' | 'leads') =>
    list.push({ data: Buffer.concat([head, bytes.subarray(head.length)]), step: { kind: 'head', how } });
  for (const signature of signatures[format] ?? []) {
    const at = bytes.subarray(0, 1 << 16).indexOf(signature.bytes);
    if (at > signature.at)
      list.push({
        data: bytes.subarray(at - signature.at),
        step: { kind: 'head', how: 'cut', bytes: at - signature.at },
      });
  }
  if (format === 'cr3') {
    add(Buffer.from('0000001866747970637278200000000163727820 69736f6d'.replace(' ', ''), 'hex'), 'written');
    return list;
  }
  if (format === 'raf') {
    add(Buffer.from('FUJIFILMCCD-RAW ', 'latin1'), 'written');
    return list;
  }
  if (format === 'crw') {
    add(Buffer.from('49491a000000484541504343445202000100', 'hex'), 'written');
    return list;
  }
  const usual = format === 'cr2' ? 16 : 8;
  for (const [order, offset] of offsetsToTry(bytes, usual)) {
    const head = Buffer.alloc(format === 'cr2' ? 12 : 8);
    head.write(order, 0, 'latin1');
    const put16 = (value: number, at: number) =>
      order === 'II' ? head.writeUInt16LE(value, at) : head.writeUInt16BE(value, at);
    put16(42, 2);
    if (order === 'II') head.writeUInt32LE(offset, 4);
    else head.writeUInt32BE(offset, 4);
    if (format === 'cr2') head.write('CR\x02\x00', 8, 'latin1');
    add(head, 'leads');
  }
  return list;
}

const signatures: Record<string, { bytes: Buffer; at: number }[]> = {
  raf: [{ bytes: Buffer.from('FUJIFILMCCD-RAW', 'latin1'), at: 0 }],
  cr3: [{ bytes: Buffer.from('ftypcrx ', 'latin1'), at: 4 }],
  crw: [{ bytes: Buffer.from('HEAPCCDR', 'latin1'), at: 6 }],
  ...Object.fromEntries(
    formatsOf('tiff')
      .filter((format) => format !== 'tif')
      .map((format) => [
        format,
        [
          { bytes: Buffer.from('49492a00', 'hex'), at: 0 },
          { bytes: Buffer.from('4d4d002a', 'hex'), at: 0 },
        ],
      ]),
  ),
};

function offsetsToTry(bytes: Buffer, usual: number): [string, number][] {
  const tries: [string, number][] = [
    ['II', usual],
    ['MM', usual],
  ];
  for (const { tiff, directory } of searchDirectories(bytes).slice(0, 12))
    tries.push([tiff.little ? 'II' : 'MM', directory.offset]);
  return tries;
}

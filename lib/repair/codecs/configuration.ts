import type { Buffer } from '../host/bytes';

/** The content of a box inside a sample description, such as avcC; null when there is none. */
export function boxInside(stsd: Buffer, type: string): Buffer | null {
  const at = stsd.indexOf(type, 0, 'latin1');
  return at < 4 ? null : stsd.subarray(at + 4, at - 4 + stsd.readUInt32BE(at - 4));
}

/** Where the width of the lengths of NAL units stands in a sample description (ISO/IEC 14496-15, 5.3.3.1.2 and 8.3.3.1.2), in the two lowest bits of a byte; -1 where there is none. */
export function lengthPlace(stsd: Buffer): number {
  const avc = stsd.indexOf('avcC', 0, 'latin1');
  if (avc > 0 && stsd[avc + 4] === 1) return avc + 8;
  const hevc = stsd.indexOf('hvcC', 0, 'latin1');
  return hevc > 0 ? hevc + 25 : -1;
}

/** The content of a descriptor of tag `tag` in an esds box (ISO/IEC 14496-1, 7.2.6); null when there is none. */
export function descriptor(stsd: Buffer, tag: number): Buffer | null {
  const esds = stsd.indexOf('esds', 0, 'latin1');
  if (esds < 0) return null;
  let at = esds + 8;
  while (at + 2 < stsd.length) {
    const found = stsd[at++] ?? 0;
    let length = 0;
    for (let count = 0; count < 4; count++) {
      const byte = stsd[at++] ?? 0;
      length = length * 128 + (byte & 127);
      if (byte < 128) break;
    }
    if (found === tag) return stsd.subarray(at, at + length);
    // The ES descriptor and the decoder's configuration hold the others behind 3 and 13 bytes (7.2.6.5, 7.2.6.6).
    if (found === 3) at += 3;
    else if (found === 4) at += 13;
    else at += length;
  }
  return null;
}

/** The parameter sets in avcC (ISO/IEC 14496-15, 5.3.3.1) or hvcC (8.3.3.1). */
export function parameterSets(stsd: Buffer): Buffer[] {
  const sets: Buffer[] = [];
  const take = (at: number): number => {
    if (at + 2 > stsd.length) return stsd.length;
    const length = stsd.readUInt16BE(at);
    sets.push(stsd.subarray(at + 2, at + 2 + length));
    return at + 2 + length;
  };
  const avc = stsd.indexOf('avcC', 0, 'latin1');
  const hevc = stsd.indexOf('hvcC', 0, 'latin1');
  if (avc > 0) {
    let at = avc + 10;
    for (let count = (stsd[avc + 9] ?? 0) & 31; count > 0; count--) at = take(at);
    for (let count = stsd[at++] ?? 0; count > 0 && at < stsd.length; count--) at = take(at);
  } else if (hevc > 0) {
    let at = hevc + 27;
    for (let arrays = stsd[hevc + 26] ?? 0; arrays > 0 && at + 3 <= stsd.length; arrays--) {
      const count = stsd.readUInt16BE(at + 1);
      at += 3;
      for (let index = 0; index < count && at < stsd.length; index++) at = take(at);
    }
  }
  return sets;
}

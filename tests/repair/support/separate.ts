/** Codes of a Huffman table by their bits, as text of 0 and 1 (ISO/IEC 10918-1, annex C). */
function codesOf(body: Buffer): Map<string, number> {
  const codes = new Map<string, number>();
  let code = 0;
  let at = 16;
  for (let length = 1; length <= 16; length++) {
    for (let count = body[length - 1] ?? 0; count > 0; count--)
      codes.set((code++).toString(2).padStart(length, '0'), body[at++] ?? 0);
    code <<= 1;
  }
  return codes;
}

/** Bytes of bits given as text, filled up with ones and stuffed (B.1.1.5, F.1.2.3). */
function packed(bits: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '1'), 2);
    bytes.push(byte, ...(byte === 0xff ? [0] : []));
  }
  return Buffer.from(bytes);
}

/**
 * A progressive JPEG without subsampling whose first pass, of all three components, is taken apart into three passes of one component
 * each, as some programs write them (G.1.1.1.1). The picture stays the same to the last bit.
 */
export function withSeparatePasses(jpeg: Buffer): Buffer {
  const tables = new Map<number, Map<string, number>>();
  let at = 2;
  while (jpeg[at + 1] !== 0xda) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    for (let place = at + 4; jpeg[at + 1] === 0xc4 && place < end; ) {
      const counts = jpeg.subarray(place + 1, place + 17).reduce((sum, count) => sum + count, 0);
      tables.set(jpeg[place] ?? 0, codesOf(jpeg.subarray(place + 1, place + 17 + counts)));
      place += 17 + counts;
    }
    at = end;
  }
  const head = jpeg.subarray(at, at + 14);
  let end = at + 14;
  while (jpeg[end] !== 0xff || jpeg[end + 1] === 0) end++;
  const data = jpeg
    .subarray(at + 14, end)
    .toString('latin1')
    .replaceAll('\xff\0', '\xff');
  const bits = Array.from(Buffer.from(data, 'latin1'), (byte) => byte.toString(2).padStart(8, '0')).join('');
  const own = ['', '', ''];
  let bit = 0;
  for (let number = 0; bits.length - bit >= 8 || /0/.test(bits.slice(bit)); number = (number + 1) % 3) {
    const codes = tables.get((head[6 + number * 2] ?? 0) >> 4) ?? new Map<string, number>();
    let length = 1;
    while (length < 17 && !codes.has(bits.slice(bit, bit + length))) length++;
    const whole = length + (codes.get(bits.slice(bit, bit + length)) ?? 0);
    if (length > 16) break;
    own[number] += bits.slice(bit, bit + whole);
    bit += whole;
  }
  const passes = own.map((part, number) => {
    const header = Buffer.from([0xff, 0xda, 0, 8, 1, head[5 + number * 2] ?? 0, head[6 + number * 2] ?? 0]);
    return Buffer.concat([header, head.subarray(11, 14), packed(part)]);
  });
  return Buffer.concat([jpeg.subarray(0, at), ...passes, jpeg.subarray(end)]);
}

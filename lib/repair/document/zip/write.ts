import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import { deflateRaw } from '../../host/packing';

const alreadyPacked = /\.(jpe?g|png|gif|wmf\.gz|mp4|m4v|mov|mp3|wma|wmv|zip|emz|wmz|xlsx|docx|pptx)$/i;

/** Content as it stands in an archive: packed by DEFLATE or stored, with its check sum. */
export type Body = { bytes: Buffer; stored: boolean; crc: number };

/** Packing content of more bytes than this as tightly as usual takes longer than the few percent are worth. */
const large = 1 << 20;

function bodyOf(name: string, data: Buffer): Body {
  const packed = alreadyPacked.test(name) ? data : deflateRaw(data, data.length > large ? 4 : undefined);
  const stored = packed.length >= data.length;
  return { bytes: stored ? data : packed, stored, crc: crc32(data) };
}

/**
 * Writes a plain ZIP archive (APPNOTE 6.3): no data descriptors, sizes in every header, names in UTF-8, one fixed time stamp. Content that
 * is `known` to stand in an archive already is taken as it stands there.
 */
export function writeArchive(
  members: readonly { name: string; data: Buffer }[],
  known: ReadonlyMap<Buffer, Body> = new Map(),
): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name, 'utf8');
    const { bytes: body, stored, crc } = known.get(member.data) ?? bodyOf(member.name, member.data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isAscii(name) ? 0 : 0x800, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt16LE(0, 6);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(body.length, 14);
    fields.writeUInt32LE(member.data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    pieces.push(Buffer.from('PK\x03\x04', 'latin1'), fields, name, body);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, name);
    offset += 30 + name.length + body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, central, end]);
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 128);
}

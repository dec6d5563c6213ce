import { Buffer } from '../../../host/bytes';
import type { Damage } from '../../../report/facts/photo';
import type { RawLayout } from '../layout';
import { behindSignature, withHead } from './heads';

/** Bytes of the head of a CIFF file (CRW). */
const headBytes = 26;

/** A CRW file (CIFF 1.0): its head, and the heap of entries from the end of the file down. */
export const crw: RawLayout = {
  faultsOf,
  sensorOf: () => null,
  *candidates(bytes) {
    yield* behindSignature(bytes, Buffer.from('HEAPCCDR', 'latin1'), 6);
    yield withHead(bytes, Buffer.from('49491a000000484541504343445202000100', 'hex'), 'written');
  },
};

function faultsOf(bytes: Buffer): Damage[] {
  const faults: Damage[] = [];
  const order = bytes.toString('latin1', 0, 2);
  if (order !== 'II' || bytes.toString('latin1', 6, 14) !== 'HEAPCCDR')
    faults.push({ kind: 'head', how: 'damaged', offset: 0 });
  if (!isHeap(bytes)) faults.push({ kind: 'directory', how: 'heap', offset: bytes.length });
  return faults;
}

function isHeap(bytes: Buffer): boolean {
  const start = bytes.length >= headBytes ? bytes.readUInt32LE(2) : 0;
  if (bytes.length < 64 || start > bytes.length) return false;
  const table = start + bytes.readUInt32LE(bytes.length - 4);
  if (table + 2 > bytes.length) return false;
  const count = bytes.readUInt16LE(table);
  if (count === 0 || count > 512 || table + 2 + count * 10 > bytes.length) return false;
  for (let index = 0; index < count; index++) {
    const at = table + 2 + index * 10;
    const inline = (bytes.readUInt16LE(at) & 0xc000) === 0x4000;
    if (!inline && start + bytes.readUInt32LE(at + 6) + bytes.readUInt32LE(at + 2) > bytes.length) return false;
  }
  return true;
}

import { Buffer } from '../../../host/bytes';
import type { Damage } from '../../../report/facts/photo';
import type { RawLayout } from '../layout';
import { behindSignature, withHead } from './heads';

/** Bytes of the head of a RAF file, with the places of JPEG, its directory and the sensor data. */
const headBytes = 112;
const signature = 'FUJIFILMCCD-RAW ';

/** A RAF file: its head, and the JPEG and the sensor data that it names. */
export const raf: RawLayout = {
  faultsOf,
  sensorOf: () => null,
  *candidates(bytes) {
    yield* behindSignature(bytes, Buffer.from(signature.trimEnd(), 'latin1'), 0);
    yield withHead(bytes, Buffer.from(signature, 'latin1'), 'written');
  },
};

function faultsOf(bytes: Buffer): Damage[] {
  if (bytes.length < headBytes || bytes.toString('latin1', 0, signature.length) !== signature)
    return [{ kind: 'head', how: 'damaged', offset: 0 }];
  const faults: Damage[] = [];
  const places = [84, 92, 100].map((at) => ({ start: bytes.readUInt32BE(at), length: bytes.readUInt32BE(at + 4) }));
  if (places.some(({ start, length }) => start + length > bytes.length))
    faults.push({ kind: 'cut', offset: bytes.length });
  const jpeg = places[0]?.start ?? 0;
  if (jpeg > 0 && jpeg + 2 <= bytes.length && bytes.readUInt16BE(jpeg) !== 0xffd8)
    faults.push({ kind: 'head', how: 'preview', offset: 84 });
  return faults;
}

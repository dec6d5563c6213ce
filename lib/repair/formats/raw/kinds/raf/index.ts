import { Buffer } from '../../../../host/bytes';
import type { Damage } from '../../../../report/facts/photo';
import type { RawLayout } from '../../layout';
import { behindSignature, withHead } from '../heads';
import { findStrip, headBytes, headerAt, placeAt, placeOf, secondPlaces, signature, stripAt } from './places';
import { filledUp, withPlacesFound, withRowsFilled } from './repairs';
import { sensorOf } from './sensor';
import { settledRaf } from './settle';

/** A RAF file: its head, and the JPEG, the header of the sensor data and the sensor data that it names. */
export const raf: RawLayout = {
  faultsOf,
  sensorOf,
  *candidates(bytes) {
    yield* behindSignature(bytes, Buffer.from(signature.trimEnd(), 'latin1'), 0);
    const right = settledRaf(bytes);
    if (right) yield { data: right.data, steps: [{ kind: 'fields', fields: right.fields }] };
    const filled = filledUp(bytes) ?? withRowsFilled(bytes);
    if (filled) yield filled;
    yield withHead(bytes, Buffer.from(signature, 'latin1'), 'written');
    yield* withPlacesFound(bytes);
  },
};

function faultsOf(bytes: Buffer): Damage[] {
  if (bytes.length < headBytes || bytes.toString('latin1', 0, signature.length) !== signature)
    return [{ kind: 'head', how: 'damaged', offset: 0 }];
  const faults: Damage[] = [];
  const [jpeg, header, sensor] = [placeOf.jpeg, placeOf.header, placeOf.sensor].map((at) => placeAt(bytes, at));
  if (!jpeg || !header || !sensor) return faults;
  const strip = stripAt(bytes, sensor.start);
  if (
    [jpeg, header, sensor, ...secondPlaces(bytes), ...(strip ? [strip] : [])].some(
      ({ start, length }) => start + length > bytes.length,
    )
  )
    faults.push({ kind: 'cut', offset: bytes.length });
  if (jpeg.start < headBytes || (jpeg.start + 2 <= bytes.length && bytes.readUInt16BE(jpeg.start) !== 0xffd8))
    faults.push({ kind: 'head', how: 'preview', offset: placeOf.jpeg });
  const told = headerAt(bytes, header.start);
  if (!told) faults.push({ kind: 'directory', how: 'damaged', offset: header.start });
  else if (!strip && findStrip(bytes, told.end) !== null)
    faults.push({ kind: 'directory', how: 'damaged', offset: sensor.start });
  if (faults.length > 0) return faults;
  const right = settledRaf(bytes);
  return right ? [{ kind: 'fields', fields: right.fields }] : [];
}

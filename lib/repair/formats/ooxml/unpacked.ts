import { unzipSync } from 'fflate';
import { Buffer } from '../../host/bytes';
import { LimitError, type RepairLimits } from '../../report';
import { faultyXml } from './check';

/** A package as a reader unpacks it, and the parts that a parser of XML stumbles over. */
export type Unpacked = { parts: Map<string, Buffer>; faults: { part: string; fault: string }[] };

/** Opens a package by fflate and reads each part by a parser of XML but those that are `sound` as they were; null where it does not open. */
export function readUnpacked(bytes: Buffer, sound: ReadonlyMap<string, Buffer>, limits: RepairLimits): Unpacked | null {
  const parts = unzipped(bytes, limits.inflatedBytes);
  if (!parts) return null;
  const changed = new Map([...parts].filter(([path, data]) => !sound.get(path)?.equals(data)));
  return { parts, faults: [...faultyXml(changed, limits.nesting)].map(([part, fault]) => ({ part, fault })) };
}

/** The same of the damaged package: null also where a part of it goes beyond what is followed, which is damage as likely as not. */
export function readDamaged(bytes: Buffer, sound: ReadonlyMap<string, Buffer>, limits: RepairLimits): Unpacked | null {
  try {
    return readUnpacked(bytes, sound, limits);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}

/** The parts that add up to no more than `most` bytes: a damaged package promises any size, and room is made for what it promises. */
function unzipped(bytes: Buffer, most: number): Map<string, Buffer> | null {
  let left = most;
  const filter = ({ originalSize }: { originalSize: number }) => {
    left -= originalSize;
    return left >= 0;
  };
  try {
    const parts = Object.entries(unzipSync(bytes, { filter }));
    return new Map(parts.map(([name, data]) => [name, Buffer.from(data.buffer, data.byteOffset, data.length)]));
  } catch (error) {
    if (error instanceof LimitError) throw error;
    return null;
  }
}

import { unzipSync } from 'fflate';
import { Buffer } from '../../host/bytes';
import { LimitError } from '../../report';
import { faultyXml } from './check';

/** A package as a reader unpacks it, and the parts that a parser of XML stumbles over. */
export type Unpacked = { parts: Map<string, Buffer>; faults: { part: string; fault: string }[] };

/** Opens a package by fflate and reads each part by a parser of XML but those that are `sound` as they were; null where it does not open. */
export function readUnpacked(bytes: Buffer, sound: ReadonlyMap<string, Buffer>, nesting: number): Unpacked | null {
  const parts = unzipped(bytes);
  if (!parts) return null;
  const changed = new Map([...parts].filter(([path, data]) => !sound.get(path)?.equals(data)));
  return { parts, faults: [...faultyXml(changed, nesting)].map(([part, fault]) => ({ part, fault })) };
}

function unzipped(bytes: Buffer): Map<string, Buffer> | null {
  try {
    const parts = Object.entries(unzipSync(bytes));
    return new Map(parts.map(([name, data]) => [name, Buffer.from(data.buffer, data.byteOffset, data.length)]));
  } catch (error) {
    if (error instanceof LimitError) throw error;
    return null;
  }
}

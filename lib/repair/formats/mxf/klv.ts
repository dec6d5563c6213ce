import { Buffer } from '../../host/bytes';
import type { Session } from '../../video/session';
import type { Source } from '../../video/source';

/** One KLV packet (SMPTE 336M, SMPTE 377-1): key as hexadecimal, offset of the key, of the value, and the end. */
export type Klv = { key: string; offset: number; body: number; end: number };
export type Walk = { klvs: Klv[]; gaps: { offset: number; length: number }[] };

const prefix = Buffer.from('060e2b34', 'hex');

/** Kind of partition by its key (377-1, 7.1): header, body, footer; null for other keys. */
export function partitionKind(key: string): 'header' | 'body' | 'footer' | null {
  if (!key.startsWith('060e2b34020501010d01020101')) return null;
  return ({ '02': 'header', '03': 'body', '04': 'footer' } as const)[key.slice(26, 28)] ?? null;
}

export const isIndex = (key: string): boolean => key.startsWith('060e2b34025301010d0102010110');
export const isRandomIndex = (key: string): boolean => key.startsWith('060e2b34020501010d0102010111');
/** Picture, sound and data in the generic container (SMPTE 379M): the last four bytes name kind and track. */
export const isEssence = (key: string): boolean => /^060e2b34010201..0d010301/.test(key);

function klvAt(source: Source, offset: number): Klv | null {
  const head = source.read(offset, 25);
  if (head.length < 17 || !head.subarray(0, 4).equals(prefix)) return null;
  const first = head[16] ?? 0;
  const count = first & 0x80 ? first & 0x7f : 0;
  if (count > 8 || head.length < 17 + count || first === 0x80) return null;
  let length = count === 0 ? first : 0;
  for (let index = 0; index < count; index++) length = length * 256 + (head[17 + index] ?? 0);
  const body = offset + 17 + count;
  return { key: head.toString('hex', 0, 16), offset, body, end: body + length };
}

/** Walks all packets of the file, going on after damage at the next key that is followed by another one. */
export async function walkKlv(session: Session, source: Source, from: number, to: number): Promise<Walk> {
  const walk: Walk = { klvs: [], gaps: [] };
  // A run-in of up to 65,535 bytes may come before the first partition (377-1, 6.5).
  let at = source.find(prefix, 0, 65536);
  if (at < 0 || !partitionKind(klvAt(source, at)?.key ?? '')) at = 0;
  while (at < source.size) {
    await session.tell(at, from, to);
    const klv = klvAt(source, at);
    const follower = klv && klv.end <= source.size ? source.read(klv.end, 4) : null;
    if (klv && follower && (klv.end === source.size || follower.equals(prefix))) {
      walk.klvs.push(klv);
      at = klv.end;
      continue;
    }
    let next = source.find(prefix, at + 1);
    while (next >= 0) {
      const end = klvAt(source, next)?.end ?? 0;
      if (end === source.size || (end > next && source.read(end, 4).equals(prefix))) break;
      next = source.find(prefix, next + 1);
    }
    const until = next < 0 ? source.size : next;
    walk.gaps.push({ offset: at, length: until - at });
    at = until;
  }
  return walk;
}

import type { Source } from '../../video/source';
import { elementAt, elementsIn, ids, numberIn, textOf } from './elements';
import { isForeign } from './own';

/** Children of an EBML head (RFC 8794, 11.2), with the values of those numbers that readers of today know. */
const numbers: ReadonlyMap<number, { least: number; most: number }> = new Map([
  [ids.ebmlVersion, { least: 1, most: 1 }],
  [ids.ebmlReadVersion, { least: 1, most: 1 }],
  [ids.ebmlMaxIdLength, { least: 4, most: 4 }],
  [ids.ebmlMaxSizeLength, { least: 1, most: 8 }],
  [ids.docTypeVersion, { least: 1, most: 15 }],
  [ids.docTypeReadVersion, { least: 1, most: 4 }],
]);
/** Those that tell a reader whether it can read the file; what the others say is what readers take where they are missing. */
const needed = [ids.docType, ids.docTypeVersion, ids.docTypeReadVersion];
const others = new Set<number>([ids.docType, ids.docTypeExtension, ids.void, ids.crc]);

/** The two document types of Matroska (RFC 9559, 4.3). */
export type DocType = 'matroska' | 'webm';
const isDocType = (text: string): text is DocType => text === 'matroska' || text === 'webm';
/** Bytes of a document type that are read. */
const longestType = 16;

/** What an EBML head says the file is, and whether readers take it: they refuse a file whose head asks for more than they know. */
export function readHead(source: Source): { docType: DocType | null; fits: boolean } {
  const head = elementAt(source, 0);
  const children = head?.id === ids.ebml ? elementsIn(source, head.body, head.end) : null;
  const type = children?.find(({ id }) => id === ids.docType);
  const told = type ? textOf(source.copy(type.body, Math.min(longestType, type.end - type.body))) : '';
  const docType = isDocType(told) ? told : null;
  const hasAll = needed.every((id) => children?.some((child) => child.id === id));
  const fits = (children ?? []).every((child) => {
    const range = numbers.get(child.id);
    // What is unknown is a program's own where nothing that is needed is missing, and its identifier is not a wrong one.
    if (!range) return others.has(child.id) || (hasAll && isForeign(child.id, [...numbers.keys(), ...others]));
    const value = numberIn(source, child);
    return child.end > child.body && value >= range.least && value <= range.most;
  });
  return { docType, fits: children !== null && docType !== null && fits };
}

/** Codecs that the narrower of the two types may hold, by their names in Matroska. */
const inWebm = new Set(['V_VP8', 'V_VP9', 'V_AV1', 'A_VORBIS', 'A_OPUS']);

/** The type of a file whose head does not tell it, by its codecs. */
export const docTypeOf = (codecs: Iterable<string>): DocType => {
  const all = [...codecs];
  return all.length > 0 && all.every((codec) => inWebm.has(codec)) ? 'webm' : 'matroska';
};

import type { ForeignKind } from '../formats/foreign';
import { endingOf, type Family, type FormatId, formatOfEnding, formats } from '../formats/table';

export type Format = FormatId;

/** A recognised format, or content that is something else (`other`), or null for unknown content. */
export type Detection = { format: Format; family: Family } | { format: null; other: ForeignKind } | null;

/** The family of a format. */
export function familyOf(format: Format): Family {
  return formats[format].family;
}

/** The format that a file name's extension claims, or null. */
export function claimedFormat(fileName: string): Format | null {
  return formatOfEnding(endingOf(fileName));
}

/** A detection of `format`. */
export function known(format: Format): Detection {
  return { format, family: familyOf(format) };
}

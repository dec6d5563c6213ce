import { endingOf, type Family, type FormatId, formatOfEnding, formats } from '../formats/table';

export type Format = FormatId;

/**
 * A recognised format, or content that is something else by name (`other`, in words), or null for unknown content. `mayHold`: it is a
 * container in which a format of ours may still be found by its content.
 */
export type Detection = { format: Format; family: Family } | { format: null; other: string; mayHold?: true } | null;

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

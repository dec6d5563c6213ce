import type { Buffer } from '../../../../host/bytes';

/** Bytes in which a camera's name is looked for: descriptions stand before the pictures, and programs write theirs behind. */
const searched = 1 << 20;

/** How makers name their cameras, and themselves, in the fields Make and Model of EXIF. */
const makers = [
  { make: 'Canon', model: /Canon (?:EOS|PowerShot)[ A-Za-z0-9-]{1,28}/ },
  { make: 'NIKON CORPORATION', model: /NIKON (?:D|Z |1 |COOLPIX)[ A-Za-z0-9_]{1,20}/ },
  { make: 'SONY', model: /(?:ILCE|ILCA|ILME|SLT|NEX|DSC|DSLR|ZV)-[A-Z0-9][A-Za-z0-9]{0,11}/ },
  { make: 'FUJIFILM', model: /(?:X-[A-Z][A-Za-z0-9-]{1,8}|GFX ?[0-9][A-Za-z0-9 ]{1,8}|FinePix ?[A-Za-z0-9]{2,14})/ },
  { make: 'GoPro', model: /HERO[0-9]{1,2}(?: [A-Za-z]{3,10})?/ },
  { make: 'DJI', model: /FC[0-9]{3,4}[A-Z]?/ },
];

/** Texts of EXIF end with a zero (TIFF 6.0, section 2), those of XMP with a quote or a tag; so do names, and no chance finds. */
const ends = String.raw`(?=[\0"<])`;
const starts = String.raw`(?<=[\0">])`;

/** The camera that texts of a file name; without one, names that say that it is not known. */
export function cameraIn(bytes: Buffer): { make: string; model: string } {
  const text =
    bytes.toString('latin1', 0, searched) + bytes.toString('latin1', Math.max(searched, bytes.length - searched));
  for (const { make, model } of makers) {
    const found = new RegExp(`${starts}(?:${model.source})${ends}`).exec(text);
    if (found) return { make, model: found[0].trim() };
  }
  const named = makers.find(({ make }) => text.includes(`${make}\0`));
  return { make: named?.make ?? 'Unknown', model: named?.make ?? 'Unknown' };
}

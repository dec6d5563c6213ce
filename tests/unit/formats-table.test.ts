// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { onlineTools } from '@/lib/catalog/tools';
import { foreign, foreignBy, hasSignature } from '@/lib/repair/formats/foreign';
import { endingsOf, formatOfEnding, formats, formatsOf, isSameContent, layouts } from '@/lib/repair/formats/table';

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('the table of formats', () => {
  it('gives the tools their lists, in the order in which the pages name them', () => {
    expect(onlineTools.video.extensions.join(' ')).toBe('mov mp4 m2ts mkv mts 3gp avi flv mxf insv m4v');
    expect(onlineTools.file.extensions.join(' ')).toBe('pdf docx pptx xlsx doc ppt xls');
    expect(onlineTools.photo.extensions.join(' ')).toBe('jpeg jpg cr3 cr2 nef nrw raf dng arw gpr tif tiff crw png');
  });

  it('names each ending once, and every layout is of some format', () => {
    const endings = Object.values(formats).flatMap((row) => [
      ...row.endings,
      ...('synonyms' in row ? row.synonyms : []),
    ]);
    expect(new Set(endings).size).toBe(endings.length);
    for (const layout of Object.keys(layouts)) expect(formatsOf(layout as keyof typeof layouts)).not.toEqual([]);
    for (const family of ['video', 'document', 'photo'] as const)
      for (const ending of endingsOf(family)) {
        const id = formatOfEnding(ending);
        expect(id && formats[id].family).toBe(family);
      }
    expect(formatOfEnding('exe')).toBeNull();
    expect(formatOfEnding('constructor')).toBeNull();
  });

  it.each([
    ['JPEG', 'jpg', true],
    ['tiff', 'tif', true],
    ['insv', 'mp4', true],
    ['MTS', 'm2ts', true],
    ['nrw', 'nef', true],
    ['mov', 'mp4', false],
    ['jpg', 'png', false],
    ['docx', 'zip', false],
    ['zip', 'zip', true],
  ])('%s and %s share their content: %s', (one, other, same) => expect(isSameContent(one, other)).toBe(same));

  it('tells foreign content by its first bytes, and none of it is a format that a tool takes', () => {
    expect(foreignBy(latin1('GIF89a and more'))?.words).toBe('a GIF picture');
    expect(foreignBy(latin1('RIFF\x10\0\0\0WEBPVP8 '))?.words).toBe('a WebP picture');
    expect(foreignBy(latin1('RIFF\x10\0\0\0AVI LIST'))).toBeNull();
    expect(foreignBy(latin1('ID3 and more'), ['program'])).toBeNull();
    for (const { signature } of foreign) {
      const bytes = latin1(
        signature.map(({ at, text }) => ({ at, text })).reduce((all, { at, text }) => all.padEnd(at, ' ') + text, ''),
      );
      // Formats without endings are repaired on the command line alone.
      const taken = Object.values(formats).filter(({ endings }) => endings.length > 0);
      const ours = taken.flatMap(({ layout }) =>
        layouts[layout].signatures.filter((mine) => hasSignature(bytes, mine)),
      );
      expect(ours).toEqual([]);
    }
  });
});

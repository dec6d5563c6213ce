import { describe, expect, it } from 'vitest';
import { formatOf, recognise } from '../../lib/repair/formats';
import { type FormatId, formats } from '../../lib/repair/formats/table';

const videos = (Object.keys(formats) as FormatId[]).filter((id) => formats[id].family === 'video');
const branded = (brand: string) => Buffer.from(`\0\0\0\x14ftyp${brand}\0\0\0\0${brand}`, 'latin1');

describe('formats of videos', () => {
  it.each(videos)('%s is repaired by one that names it, and by no other', (id) => {
    const format = formatOf(id, Buffer.alloc(0));
    expect(format.ids).toContain(id);
    expect(format.family.id).toBe('video');
  });

  it.each([
    ['isom', null, 'mp4'],
    ['isom', 'insv', 'insv'],
    ['isom', 'mov', 'mp4'],
    ['qt  ', 'mp4', 'mov'],
    ['3gp6', null, '3gp'],
    ['XYZ!', 'm4v', 'm4v'],
    ['XYZ!', 'mkv', 'mp4'],
  ] as const)('of brand %s by the name of %s is %s', (brand, claimed, format) => {
    expect(recognise(branded(brand), claimed)).toBe(format);
  });

  it('leave the boxes of pictures to others', () => {
    expect(recognise(branded('heic'), 'mp4')).toBeNull();
    expect(recognise(branded('crx '), 'mp4')).not.toBe('mp4');
  });

  it('are told by the rhythm of packets only where no first bytes say more', () => {
    const stream = Buffer.concat(
      Array.from({ length: 40 }, () => Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187)])),
    );
    expect(recognise(stream, null)).toBe('mts');
    expect(recognise(stream, 'm2ts')).toBe('m2ts');
    stream.write('%PDF-', 0, 'latin1');
    expect(recognise(stream, null)).not.toBe('mts');
  });
});

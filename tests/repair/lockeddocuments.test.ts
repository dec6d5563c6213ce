import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { readRecords } from '../../lib/repair/formats/ole/biff';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { rebuildWorkbook } from '../../lib/repair/formats/ole/xls';
import { originals } from './support/originals';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const all = await originals();
const original = (format: string) => all.find((one) => one.format === format)?.bytes ?? Buffer.alloc(0);

function noise(length: number, seed: number): Buffer {
  const random = randomFrom(seed);
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

/** A package as OpenDocument programs lock it: parts are encrypted and stored, and the list of parts says so (ODF 1.3 part 2, 4.8). */
function lockedPackage(format: string): Buffer {
  const parts = unzipSync(original(format));
  const manifest = Buffer.from(parts['META-INF/manifest.xml'] ?? [])
    .toString()
    .replace(
      /(<manifest:file-entry[^<>]*full-path="content\.xml"[^<>]*)\/>/,
      '$1><manifest:encryption-data/></manifest:file-entry>',
    );
  return Buffer.from(
    zipSync({
      mimetype: [parts.mimetype ?? new Uint8Array(0), { level: 0 }],
      'content.xml': [noise(20_000, 3), { level: 0 }],
      'META-INF/manifest.xml': Buffer.from(manifest),
    }),
  );
}

/** A package as archivers lock it: every part of it is encrypted and its headers say so (APPNOTE 4.4.4, bit 0). */
function lockedArchive(format: string): Buffer {
  const names = Object.keys(unzipSync(original(format)));
  const parts = Object.fromEntries(names.map((name, index) => [name, noise(3000, index + 1)]));
  const bytes = Buffer.from(zipSync(parts, { level: 0 }));
  for (const [signature, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const)
    for (let at = bytes.indexOf(signature, 0, 'latin1'); at >= 0; at = bytes.indexOf(signature, at + 4, 'latin1'))
      bytes.writeUInt16LE(1, at + flags);
  return bytes;
}

describe('a document in an archive with a password', () => {
  it.each(['docx', 'xlsx', 'pptx', 'odt'])('is sound as it is, and said to be protected: %s', async (format) => {
    const bytes = lockedArchive(format);
    const { report, output } = await repairBytes(bytes, `file.${format}`);
    expect(report).toMatchObject({ verdict: 'healthy', format, found: [], lost: [] });
    expect(report.summary).toContain('is protected with a password');
    expect(output?.equals(bytes)).toBe(true);
  });

  it('is told from a damaged one', async () => {
    const bytes = lockedArchive('docx');
    const wrong = Buffer.from(bytes);
    wrong.writeUInt32LE(77, bytes.indexOf('PK\x03\x04', 100, 'latin1') + 18);
    for (const damaged of [bytes.subarray(0, bytes.length - 300), wrong, bytes.subarray(0, bytes.length / 2)]) {
      const { report } = await repairBytes(damaged, 'file.docx');
      expect(report.verdict).toBe('unrepairable');
      expect(report.summary).toContain('is protected with a password and its structure is damaged');
    }
    // One part whose header says so was hit by damage.
    const sound = Buffer.from(original('docx'));
    sound[6] = (sound[6] ?? 0) | 1;
    expect((await repairBytes(sound, 'file.docx')).report.verdict).toBe('repaired');
  });
});

describe('a document that is protected with a password', () => {
  it.each(['odt', 'ods'])('is sound as it is, and said to be protected: %s', async (format) => {
    const bytes = lockedPackage(format);
    const { report, output } = await repairBytes(bytes, `file.${format}`);
    expect(report).toMatchObject({ verdict: 'healthy', found: [], lost: [] });
    expect(report.notes.join(' ')).toContain('is protected with a password');
    expect(output?.equals(bytes)).toBe(true);
  });

  it('is known to be so where it lost its list of parts, and not read as text', async () => {
    const bytes = lockedPackage('odt');
    const { report } = await repairBytes(bytes.subarray(0, bytes.indexOf('META-INF/manifest.xml')), 'file.odt');
    expect(report.verdict).toBe('unrepairable');
    expect(report.notes.join(' ')).toContain('is protected with a password');
  });

  it('may have a package that ends before its stream does, as long as that holds what it says of itself', async () => {
    const locked = (promised: number) => {
      const data = noise(6144, 8);
      data.writeBigUInt64LE(BigInt(promised), 0);
      const bytes = writeOle([{ path: ['EncryptedPackage'], data }], Buffer.alloc(16));
      const entry = (bytes.readInt32LE(48) + 1) * 512 + 128;
      expect(bytes.readUInt32LE(entry + 120)).toBe(6144);
      bytes.writeUInt32LE(7848, entry + 120);
      return bytes;
    };
    const whole = await repairBytes(locked(6083), 'book.xlsx');
    expect(whole.report).toMatchObject({ verdict: 'healthy', found: [] });
    const cut = await repairBytes(locked(6800), 'book.xlsx');
    expect(cut.report.verdict).toBe('unrepairable');
  });

  it('is known to be so without its directory: DOC', async () => {
    const document = noise(60_000, 5);
    document.writeUInt16LE(0xa5ec, 0);
    document.writeUInt16LE(0xc1, 2);
    document.writeUInt16LE(0x100, 10);
    const whole = writeOle(
      [
        { path: ['WordDocument'], data: document },
        { path: ['0Table'], data: noise(6000, 6) },
      ],
      Buffer.alloc(16),
    );
    const at = whole.indexOf(Buffer.from('WordDocument', 'utf16le'));
    const { report } = await repairBytes(
      Buffer.from(whole).fill(0, at - (at % 512), at - (at % 512) + 512),
      'file.doc',
    );
    expect(report.verdict).toBe('unrepairable');
    expect(report.notes.join(' ')).toContain('is protected with a password');
  });

  it('is not taken apart where its cells contradict themselves: XLS', () => {
    const cells = Array.from({ length: 200 }, (_, index) => {
      const record = noise(14, index + 1);
      record.writeUInt16LE(0x0fd, 0);
      record.writeUInt16LE(10, 2);
      record.writeUInt16LE(0xffff, 6);
      return record;
    });
    const beginning = (type: number) => Buffer.from([9, 8, 8, 0, 0, 6, type, 0, 0, 0, 0, 0]);
    const end = Buffer.from([10, 0, 0, 0]);
    const stream = Buffer.concat([beginning(5), end, beginning(16), ...cells, end]);
    expect(readRecords(stream).records.length).toBeGreaterThan(200);
    expect(rebuildWorkbook(stream, nothingToldYet())).toBeNull();
  });
});

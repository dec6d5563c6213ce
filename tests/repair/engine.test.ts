import { once } from 'node:events';
import { link, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import CFB from 'cfb';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectFormat, engineVersion, RepairMisuse, repairFile } from '../../lib/repair';
import { type Original, originals } from './support/originals';
import { repairBytes } from './support/run';

let files: Original[] = [];
let folder = '';

beforeAll(async () => {
  files = await originals();
  folder = await mkdtemp(join(tmpdir(), 'engine-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function original(format: string): Buffer {
  return files.find((file) => file.format === format)?.bytes ?? Buffer.alloc(0);
}

describe('format detection', () => {
  it('goes by the content, whatever the name says', () => {
    for (const { format, bytes } of files) {
      // Formats that share their content are told apart by the name alone.
      if (['nrw', 'gpr'].includes(format)) continue;
      expect(detectFormat(bytes, 'file.bin')?.format, format).toBe(format);
    }
  });

  it('repairs a DOCX named .pdf as a DOCX and says so', async () => {
    const { report } = await repairBytes(original('docx').subarray(0, -40), 'report.pdf');
    expect(report.format).toBe('docx');
    expect(report.verdict).toBe('repaired');
    expect(report.notes.join(' ')).toContain('.pdf');
  });

  it('refuses a renamed program, unknown bytes and an empty file with a clear word', async () => {
    const program = Buffer.alloc(256);
    program.write('MZ');
    program.writeUInt32LE(128, 60);
    program.write('PE\0\0', 128, 'latin1');
    for (const [bytes, word] of [
      [program, 'program for Windows'],
      [Buffer.from('just some plain words, nothing else'), 'a text file'],
      [Buffer.from('bytes \x01\x02 of nothing', 'latin1'), 'not recognised'],
      [Buffer.concat([Buffer.from('1f07003f', 'hex'), Buffer.alloc(2000, 0xff)]), 'raw DV'],
      [Buffer.alloc(0), 'empty'],
    ] as const) {
      const { report, output } = await repairBytes(bytes, 'letter.docx');
      expect(report.verdict).toBe('unrepairable');
      expect(report.summary).toContain(word);
      expect(output).toBeNull();
    }
  });

  it('keeps to the family that is asked for', async () => {
    const { report, output } = await repairBytes(original('jpg'), 'photo.jpg', { type: 18 });
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain('photo');
    expect(output).toBeNull();
  });
});

describe('the entry point', () => {
  it('rejects wrong use', async () => {
    const path = join(folder, 'a.pdf');
    await writeFile(path, original('pdf'));
    await symlink(path, join(folder, 'b.pdf'));
    await link(path, join(folder, 'c.pdf'));
    const attempt = (inputPath: string, outputPath: string, type?: 17) =>
      repairFile({ inputPath, outputPath, fileName: 'a.pdf', type });
    await expect(attempt(join(folder, 'none.pdf'), join(folder, 'out'))).rejects.toBeInstanceOf(RepairMisuse);
    for (const same of ['a.pdf', 'b.pdf', 'c.pdf'])
      await expect(attempt(path, join(folder, same))).rejects.toBeInstanceOf(RepairMisuse);
    await expect(attempt(path, folder)).rejects.toBeInstanceOf(RepairMisuse);
    await expect(attempt(path, join(folder, 'out'), 20 as 17)).rejects.toBeInstanceOf(RepairMisuse);
  });

  it('takes away nothing that is no file, such as a device', async () => {
    const path = join(folder, 'd.pdf');
    await writeFile(path, original('pdf'));
    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    await once(server, 'listening');
    await expect(repairFile({ inputPath: path, outputPath: socket, fileName: 'd.pdf' })).rejects.toBeInstanceOf(
      RepairMisuse,
    );
    expect((await stat(socket)).isSocket()).toBe(true);
    server.close();
  });

  it('reports digests, version, duration and progress', async () => {
    const fractions: number[] = [];
    let clock = 1000;
    const { report } = await repairBytes(original('xlsx').subarray(0, -30), 'table.xlsx', {
      onProgress: (fraction) => fractions.push(fraction),
      now: () => clock++,
    });
    expect(report.engineVersion).toBe(engineVersion);
    expect(report.input.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(report.output?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(report.output?.sha256).not.toBe(report.input.sha256);
    expect(report.durationMs).toBeGreaterThan(0);
    expect(fractions.at(-1)).toBe(1);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
});

describe('protected files', () => {
  it('recognises an encrypted office file and does not call it damaged', async () => {
    const container = CFB.utils.cfb_new();
    CFB.utils.cfb_add(container, '/EncryptionInfo', Buffer.alloc(300, 4));
    CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(9000, 5));
    const { report } = await repairBytes(
      Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array),
      'secret.docx',
    );
    expect(report.verdict).toBe('healthy');
    expect(report.notes.join(' ')).toContain('password');
  });
});

describe('limits', () => {
  it('stops at a ZIP bomb', async () => {
    const bytes = Buffer.from(
      zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': new Uint8Array(30_000_000) }),
    );
    const { report } = await repairBytes(bytes, 'bomb.docx', { limits: { inflatedBytes: 10_000_000 } });
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain('more than this tool opens');
  });

  it('stops at a PDF whose stream grows without end', async () => {
    const packed = Buffer.concat([Buffer.from([0x78, 0x9c]), deflateRawSync(Buffer.alloc(40_000_000))]);
    const head = `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Length ${packed.length}/Filter/FlateDecode>>\nstream\n`;
    const bytes = Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\n')]);
    const { report } = await repairBytes(bytes, 'bomb.pdf', { limits: { inflatedBytes: 5_000_000 } });
    expect(report.verdict).toBe('unrepairable');
  });

  it('refuses a file over the size limit, too many parts and deep nesting', async () => {
    const large = await repairBytes(original('ppt'), 'a.ppt', { limits: { inputBytes: 100_000 } });
    expect(large.report.summary).toContain('larger than');
    const parts = await repairBytes(original('pptx'), 'a.pptx', { limits: { entries: 5 } });
    expect(parts.report.verdict).toBe('unrepairable');
    const deep = zipSync({
      '[Content_Types].xml': strToU8('<Types/>'),
      'word/document.xml': strToU8('<w:p>'.repeat(5000)),
    });
    const nested = await repairBytes(Buffer.from(deep), 'deep.docx');
    expect(nested.report.verdict).toBe('unrepairable');
  });

  it('gives up when its time is over', async () => {
    let clock = 0;
    const { report, output } = await repairBytes(original('docx').subarray(0, -200), 'a.docx', {
      limits: { milliseconds: 5 },
      now: () => (clock += 10),
    });
    expect(report.verdict).toBe('unrepairable');
    expect(report.summary).toContain('longer');
    expect(output).toBeNull();
  });
});

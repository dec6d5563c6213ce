import { readFileSync } from 'node:fs';
import { deflateSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const whole = gunzipSync(readFileSync('tests/repair/fixtures/pdfkit-standard.pdf.gz'));
const text = (bytes: Buffer) => bytes.toString('latin1');

/** The place that a file ends with, and what its trailer says. */
const endOf = (bytes: Buffer) => Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text(bytes))?.[1]);
const root = /\/Root (\d+ 0 R)/.exec(text(whole))?.[1];
const size = Number(/\/Size (\d+)/.exec(text(whole))?.[1]);

const place = (offset: number, kind: 'n' | 'f') =>
  `${String(offset).padStart(10, '0')} ${kind === 'n' ? '00000' : '65535'} ${kind} \n`;

/**
 * A file that old and new readers can read (ISO 32000-1, 7.5.8.4): the table calls the object of information free, which stands in a bundle that
 * only the stream beside the table leads to.
 */
function hybrid(): Buffer {
  const body = whole.subarray(0, endOf(whole));
  const places = new Map(
    [...text(body).matchAll(/(?<=^|\n)(\d+) 0 obj/g)].map(({ index, 1: number }) => [Number(number), index]),
  );
  const parts: Buffer[] = [body];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  const add = (head: string, stream: Buffer) => {
    const offset = length();
    parts.push(Buffer.from(`${head} /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`), stream);
    parts.push(Buffer.from('\nendstream\nendobj\n'));
    return offset;
  };
  const index = `${size} 0 `;
  const bundled = deflateSync(Buffer.from(`${index}<< /Title (Both) >>`));
  const bundle = add(`${size + 1} 0 obj\n<< /Type /ObjStm /N 1 /First ${index.length}`, bundled);
  const rows = Buffer.alloc(12);
  rows.writeUInt8(2, 0);
  rows.writeUInt32BE(size + 1, 1);
  rows.writeUInt8(1, 6);
  rows.writeUInt32BE(bundle, 7);
  const head = `${size + 2} 0 obj\n<< /Type /XRef /Size ${size + 3} /Index [${size} 2] /W [1 4 1] /Root ${root}`;
  const stream = add(head, deflateSync(rows));
  const lines = Array.from({ length: size - 1 }, (_, at) => {
    const offset = places.get(at + 1);
    return offset === undefined ? place(0, 'f') : place(offset, 'n');
  });
  lines.push(place(0, 'f'), place(bundle, 'n'), place(stream, 'n'));
  const at = length();
  const trailer = `trailer\n<< /Size ${size + 3} /Root ${root} /Info ${size} 0 R /XRefStm ${stream} >>\nstartxref\n${at}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${size + 3}\n${place(0, 'f')}${lines.join('')}${trailer}`));
  return Buffer.concat(parts);
}

/** A file with another version of its information behind it (7.5.6). */
function updated(bytes: Buffer): Buffer {
  const next = Number(/\/Size (\d+)/.exec(text(bytes.subarray(endOf(bytes))))?.[1]);
  const object = `${next} 0 obj\n<< /Title (Again) >>\nendobj\n`;
  const table = `xref\n${next} 1\n${place(bytes.length, 'n')}trailer\n<< /Size ${next + 1} /Root ${root} /Info ${next} 0 R /Prev ${endOf(bytes)} >>\n`;
  return Buffer.concat([bytes, Buffer.from(`${object}${table}startxref\n${bytes.length + object.length}\n%%EOF\n`)]);
}

describe('a PDF whose objects old readers do not see', () => {
  it('is healthy, also with an update behind it', async () => {
    for (const bytes of [hybrid(), updated(hybrid()), updated(updated(hybrid()))]) {
      const { report, output } = await repairBytes(bytes, 'both.pdf');
      expect([report.verdict, ...report.found.map(({ detail }) => detail)]).toEqual(['healthy']);
      expect(output?.equals(bytes)).toBe(true);
    }
  });

  it('is damaged where nothing leads to them', async () => {
    const bytes = hybrid();
    for (const wrong of [
      text(bytes).replace(/\/XRefStm (\d+)/, (_, at: string) => `/XRefStm ${String(Number(at) + 3)}`),
      text(bytes).replace('/XRefStm', '/XRefSym'),
    ]) {
      const { report } = await repairBytes(Buffer.from(wrong, 'latin1'), 'both.pdf');
      expect([report.verdict, ...report.found.map(({ kind }) => kind)]).toEqual(['repaired', 'table']);
    }
  });
});

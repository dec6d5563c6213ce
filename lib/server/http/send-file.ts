import 'server-only';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Attachment } from '../base/attachment';
import { type Outcome, refuse } from '../base/refusal';

type Range = { start: number; end: number };

/**
 * Streams a file as an attachment, or one range of it (RFC 9110, section 14); refuses with `missing` where there is none on the disk.
 * The content type is never guessed by the browser.
 */
export async function sendFile(
  request: Request,
  found: Outcome<Attachment>,
  missing: Outcome<never> = refuse('notFound'),
): Promise<Response | Outcome<never>> {
  if (!found.ok) return found;
  const file = found.value;
  const size = await sizeOf(file);
  if (size === null) return missing;
  const headers = new Headers({
    'content-type': file.contentType,
    'content-disposition': attachment(file.name),
    'cache-control': file.cacheControl,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const range = readRange(request.headers.get('range'), size);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers.set('content-length', String(end - start + 1));
  if (range) headers.set('content-range', `bytes ${start}-${end}/${size}`);
  const isBodyless = request.method === 'HEAD' || size === 0;
  return new Response(isBodyless ? null : bodyOf(file, start, end), { status: range ? 206 : 200, headers });
}

async function sizeOf(file: Attachment): Promise<number | null> {
  if ('bytes' in file) return file.bytes.length;
  const stat = await fs.stat(file.path).catch(() => null);
  return stat?.isFile() ? stat.size : null;
}

function bodyOf(file: Attachment, start: number, end: number): BodyInit {
  if ('bytes' in file) return new Blob([new Uint8Array(file.bytes.subarray(start, end + 1))]);
  return Readable.toWeb(createReadStream(file.path, { start, end })) as ReadableStream;
}

/** A single `bytes` range; several, or another unit, are ignored and the whole file is sent. */
function readRange(header: string | null, size: number): Range | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, from = '', to = ''] = match;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from === '' && Number(to) === 0) return 'unsatisfiable';
  if (from !== '' && to !== '' && Number(to) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Content-Disposition with the name in ASCII and in UTF-8 (RFC 6266, RFC 8187). */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

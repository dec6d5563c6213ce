import 'server-only';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { Readable } from 'node:stream';

/** How a file is sent. `name` is what the visitor sees; it may hold any character. */
export type FileToSend = { path: string; name: string; contentType: string; cacheControl: string };

type Range = { start: number; end: number };

/**
 * Streams a file as an attachment, or one range of it (RFC 9110, section 14). Null when it does not exist. The content
 * type is never guessed by the browser.
 */
export async function sendFile(request: Request, file: FileToSend): Promise<Response | null> {
  const stat = await fs.stat(file.path).catch(() => null);
  if (!stat?.isFile()) return null;
  const headers = new Headers({
    'content-type': file.contentType,
    'content-disposition': attachment(file.name),
    'cache-control': file.cacheControl,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const range = readRange(request.headers.get('range'), stat.size);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${stat.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: stat.size - 1 };
  headers.set('content-length', String(end - start + 1));
  if (range) headers.set('content-range', `bytes ${start}-${end}/${stat.size}`);
  const isBodyless = request.method === 'HEAD' || stat.size === 0;
  const body = isBodyless ? null : (Readable.toWeb(createReadStream(file.path, { start, end })) as ReadableStream);
  return new Response(body, { status: range ? 206 : 200, headers });
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
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

import 'server-only';
import { Readable } from 'node:stream';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Attachment } from '../objects/attachment';
import type { ApiRequest } from './api-request';

/** So long an address of the store opens a file; what is being fetched then goes on. */
const LINK_SECONDS = 300;

type Range = { start: number; end: number };

/**
 * Sends a file as an attachment, or one range of it (RFC 9110, section 14), or the address at which the store does so itself; refuses
 * with `missing` where there is none.
 * The content type is never guessed by the browser.
 */
export async function sendFile(
  ctx: Context,
  request: ApiRequest,
  found: Outcome<Attachment>,
  missing: Outcome<never> = refuse('notFound'),
): Promise<Response | Outcome<never>> {
  if (!found.ok) return found;
  const file = found.value;
  const size = await sizeOf(ctx, file);
  if (size === null) return missing;
  const elsewhere = request.method === 'HEAD' ? null : await addressOf(ctx, file);
  if (elsewhere) return redirect(elsewhere);
  const headers = new Headers({
    'content-type': file.contentType,
    'content-disposition': attachment(file.name),
    'cache-control': file.cacheControl,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  // A part is asked for by a mark of the file that we never gave (RFC 9110, 13.1.5): it may be another file by now, so all of it goes.
  const range = request.headers.get('if-range') ? null : readRange(request.headers.get('range'), size);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers.set('content-length', String(end - start + 1));
  if (range) headers.set('content-range', `bytes ${start}-${end}/${size}`);
  const isBodyless = request.method === 'HEAD' || size === 0;
  const body = isBodyless ? null : await bodyOf(ctx, file, { start, end });
  if (body === 'gone') return missing;
  return new Response(body, { status: range ? 206 : 200, headers });
}

async function sizeOf(ctx: Context, file: Attachment): Promise<number | null> {
  if ('bytes' in file) return file.bytes.length;
  return (await ctx.objects.head(file.object))?.bytes ?? null;
}

async function addressOf(ctx: Context, file: Attachment): Promise<string | null> {
  if ('bytes' in file) return null;
  const { name, contentType } = file;
  return ctx.objects.link(file.object, { disposition: attachment(name), contentType, seconds: LINK_SECONDS });
}

/** The address is a key for some minutes, so nobody keeps it. */
export function redirect(location: string): Response {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return new Response(null, { status: 302, headers });
}

async function bodyOf(ctx: Context, file: Attachment, { start, end }: Range): Promise<BodyInit | 'gone'> {
  if ('bytes' in file) return new Blob([new Uint8Array(file.bytes.subarray(start, end + 1))]);
  const stream = await ctx.objects.get(file.object, { start, end });
  return stream ? (Readable.toWeb(stream) as ReadableStream) : 'gone';
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

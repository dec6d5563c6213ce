import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** How an answer is compressed; null where it is not. */
export type Encoding = 'br' | 'gz' | null;

const brotliLater = promisify(brotliCompress);
const gzipLater = promisify(gzip);

/** The best encoding that the client takes (RFC 9110, section 12.5.3); `q=0` refuses one. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const known = chosen.get(accepted ?? '');
  if (known !== undefined) return known;
  const encoding = encodingOf(accepted);
  // There are a handful among browsers; somebody who sends ever new ones must not fill the memory.
  if (chosen.size < 200) chosen.set(accepted ?? '', encoding);
  return encoding;
}

const chosen = new Map<string, Encoding>();

function encodingOf(accepted: string | undefined): Encoding {
  const takes = (name: string) =>
    (accepted ?? '').split(',').some((part) => {
      const [token = '', ...parameters] = part.trim().split(';');
      return token.trim() === name && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
    });
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gz' : null;
}

/** The headers that say in which encoding an answer is. */
export function encodingHeaders(encoding: Encoding): Record<string, string> {
  return { vary: 'Accept-Encoding', ...(encoding ? { 'content-encoding': encoding === 'gz' ? 'gzip' : 'br' } : {}) };
}

/** Compressed once, when a page is first asked for: some 30 ms, after which it comes from memory. */
export function compressed(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gz') return gzipSync(bytes, { level: 9 });
  if (encoding !== 'br') return bytes;
  return brotliCompressSync(bytes, brotliOptions(bytes));
}

const brotliOptions = (bytes: Buffer): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
});

/** What was compressed, by its text and encoding: the parts of all pages are some 700, of a few kilobytes each. */
const kept = new Map<string, Buffer>();
const MOST_KEPT = 2000;

/** The same for what comes again and again but is known by its text alone; it is compressed beside the thread that answers. */
export async function compressedOnce(bytes: Buffer, encoding: 'br' | 'gz'): Promise<Buffer> {
  const key = `${encoding} ${createHash('sha256').update(bytes).digest('base64url')}`;
  const known = kept.get(key);
  if (known) return known;
  const made = encoding === 'gz' ? gzipLater(bytes, { level: 9 }) : brotliLater(bytes, brotliOptions(bytes));
  const body = await made;
  if (kept.size < MOST_KEPT) kept.set(key, body);
  return body;
}

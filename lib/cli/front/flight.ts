/**
 * React's payload of a page ("Flight", react-server-dom of React 19): rows of `<hex id>:<tag><content>`. Rows of text and
 * bytes carry their length in bytes, so that a text can't simply be replaced in them.
 */

const COLON = 0x3a;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const TEXT = 'T';
/** Tags of rows whose length stands before their bytes. */
const counted = new Set([TEXT, ...'AOobUSsLlGgMmV']);

/** Replaces a text in every row that holds words, and sets the lengths right. Throws on a payload that it can't read. */
export function replaceInFlight(payload: Buffer, from: string, to: string): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < payload.length; ) {
    const colon = payload.indexOf(COLON, at);
    if (colon === -1) throw new Error('A row of the page’s payload has no id.');
    const tag = String.fromCharCode(payload[colon + 1] ?? 0);
    if (!counted.has(tag)) {
      const newline = payload.indexOf(NEWLINE, colon);
      const end = newline === -1 ? payload.length : newline + 1;
      out.push(replaced(payload.subarray(at, end), from, to));
      at = end;
      continue;
    }
    const comma = payload.indexOf(COMMA, colon);
    const length = Number.parseInt(payload.toString('latin1', colon + 2, comma), 16);
    const end = comma + 1 + length;
    if (comma === -1 || !Number.isInteger(length) || end > payload.length) {
      throw new Error('A row of the page’s payload has no length.');
    }
    const content = payload.subarray(comma + 1, end);
    const now = tag === TEXT ? replaced(content, from, to) : content;
    out.push(payload.subarray(at, colon + 2), Buffer.from(`${now.length.toString(16)},`), now);
    at = end;
  }
  return Buffer.concat(out);
}

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return bytes.includes(from) ? Buffer.from(bytes.toString('utf8').replaceAll(from, to)) : bytes;
}

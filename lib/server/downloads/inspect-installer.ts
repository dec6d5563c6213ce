import 'server-only';
import { createHash } from 'node:crypto';
import type { InstallerFacts } from '../../contract/downloads';
import type { ObjectKey, ObjectStore } from '../objects/port';
import { DEMONSTRATION_MARK } from './demonstration';

/** Windows keeps its version as UTF-16 text after this key (VS_VERSIONINFO, StringFileInfo). */
const WINDOWS_KEY = Buffer.from('FileVersion\0', 'utf16le');
const PLAIN_KEY = Buffer.from('Installer-Version: ');
/** Bytes carried over from one chunk to the next, so that a key on the border is found. */
const OVERLAP = 256;

const known = new Map<string, { stamp: string; facts: InstallerFacts }>();

/** Size, SHA-256 and version of an installer, read from the file once and again when it changes. Null when it is absent. */
export async function inspectInstaller(objects: ObjectStore, key: ObjectKey): Promise<InstallerFacts | null> {
  const head = await objects.head(key);
  if (!head) return null;
  const stamp = `${objects.describe}:${head.bytes}:${head.changedAt.getTime()}`;
  const cached = known.get(key);
  if (cached?.stamp === stamp) return cached.facts;
  const body = await objects.get(key);
  if (!body) return null;
  const facts = await read(body, head.bytes);
  known.set(key, { stamp, facts });
  return facts;
}

async function read(body: AsyncIterable<Buffer>, size: number): Promise<InstallerFacts> {
  const hash = createHash('sha256');
  let version: string | null = null;
  let demonstration = false;
  let isFirst = true;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    hash.update(chunk);
    if (isFirst) demonstration = chunk.subarray(0, DEMONSTRATION_MARK.length).toString('latin1') === DEMONSTRATION_MARK;
    isFirst = false;
    const window = Buffer.concat([tail, chunk]);
    version ??= versionIn(window);
    tail = window.subarray(Math.max(0, window.length - OVERLAP));
  }
  return { size, sha256: hash.digest('hex'), version, demonstration };
}

function versionIn(window: Buffer): string | null {
  const windows = window.indexOf(WINDOWS_KEY);
  if (windows >= 0) {
    const text = window.subarray(windows + WINDOWS_KEY.length, windows + WINDOWS_KEY.length + 96).toString('utf16le');
    const found = /^\0*([0-9][0-9., ]{0,40})\0/.exec(text)?.[1];
    if (found) return found.replaceAll(', ', '.').trim();
  }
  const plain = window.indexOf(PLAIN_KEY);
  if (plain < 0) return null;
  const text = window.subarray(plain + PLAIN_KEY.length, plain + PLAIN_KEY.length + 60).toString('latin1');
  return /^([\w.-]{1,40})[\r\n]/.exec(text)?.[1] ?? null;
}

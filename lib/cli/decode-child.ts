import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decodeArguments } from '../repair/video/decode/run';

/**
 * Decodes one video with ffmpeg built for WebAssembly and prints what it prints: arguments are the format and the path. A process
 * of its own, since the decoder is under the GPL and is never linked into the rest, and since its memory goes when it ends. The file
 * is read in pieces. When the parent is gone, the next line cannot be written, and the process ends.
 */
type Core = {
  FS: {
    mkdir(path: string): void;
    mount(type: unknown, options: { blobs: { name: string; data: Piece }[] }, path: string): void;
    filesystems: { WORKERFS: unknown };
  };
  setLogger(logger: (entry: { message: string }) => void): void;
  exec(...options: string[]): number;
};

const require = createRequire(import.meta.url);
const [format = 'mp4', path = ''] = process.argv.slice(2);
const file = openSync(path, 'r');

/** A part of the file, in the shape in which Emscripten's WORKERFS reads a Blob. */
class Piece {
  readonly start: number;
  readonly size: number;
  readonly lastModifiedDate = new Date(0);

  constructor(start: number, end: number) {
    this.start = start;
    this.size = end - start;
  }

  slice(from: number, to: number): Piece {
    return new Piece(this.start + from, this.start + to);
  }
}

class PieceReader {
  readAsArrayBuffer(piece: Piece): ArrayBuffer {
    const bytes = new Uint8Array(piece.size);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, piece.start + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.buffer.slice(0, filled);
  }
}

let waiting = '';
function print(line: string): void {
  waiting += `${line}\n`;
  if (waiting.length > 2048) flush();
}

function flush(): void {
  if (waiting) writeSync(1, waiting);
  waiting = '';
}

// The package is built for a worker of a browser: it looks for its own address and for a synchronous reader of blobs.
Object.assign(globalThis, { self: { location: { href: 'file:///' } }, FileReaderSync: PieceReader });
const create = require('@ffmpeg/core') as (options: object) => Promise<Core>;
const core = await create({ wasmBinary: readFileSync(require.resolve('@ffmpeg/core/wasm')) });
core.FS.mkdir('/in');
core.FS.mount(
  core.FS.filesystems.WORKERFS,
  { blobs: [{ name: 'file', data: new Piece(0, fstatSync(file).size) }] },
  '/in',
);
core.setLogger(({ message }) => print(message));
const code = core.exec(...decodeArguments(format, '/in/file'));
flush();
closeSync(file);
process.exitCode = code === 0 ? 0 : 1;

import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MediaJob } from '../repair/host/media/job';

type Stream = { position: number };
type Core = {
  FS: {
    mkdir(path: string): void;
    mount(type: unknown, options: { blobs: { name: string; data: Piece }[] }, path: string): void;
    filesystems: { WORKERFS: unknown };
    makedev(major: number, minor: number): number;
    registerDevice(device: number, operations: object): void;
    mkdev(path: string, mode: number, device: number): void;
  };
  setLogger(logger: (entry: { message: string }) => void): void;
  exec(...options: string[]): number;
};

const require = createRequire(import.meta.url);
/** The file that the one job of this process reads. */
let file = -1;

/** Parts of the file one after another, in the shape in which Emscripten's WORKERFS reads a Blob. */
class Piece {
  readonly ranges: readonly (readonly [number, number])[];
  readonly size: number;
  readonly lastModifiedDate = new Date(0);
  readonly #ends: number[] = [];

  constructor(ranges: readonly (readonly [number, number])[]) {
    this.ranges = ranges;
    let end = 0;
    for (const [, length] of ranges) {
      end += length;
      this.#ends.push(end);
    }
    this.size = end;
  }

  slice(from: number, to: number): Piece {
    const found: [number, number][] = [];
    let [low, high] = [0, this.#ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) <= from) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < this.ranges.length; index++) {
      const [offset, length] = this.ranges[index] ?? [0, 0];
      const start = (this.#ends[index] ?? 0) - length;
      if (start >= to) break;
      const first = Math.max(0, from - start);
      found.push([offset + first, Math.min(length, to - start) - first]);
    }
    return new Piece(found);
  }
}

class PieceReader {
  readAsArrayBuffer(piece: Piece): ArrayBuffer {
    const bytes = new Uint8Array(piece.size);
    let filled = 0;
    for (const [offset, length] of piece.ranges) {
      for (let done = 0; done < length; ) {
        const count = readSync(file, bytes, filled, length - done, offset + done);
        if (count === 0) return bytes.buffer.slice(0, filled);
        filled += count;
        done += count;
      }
    }
    return bytes.buffer;
  }
}

/** Lines that wait to be handed over together. */
let waiting = '';
let tell: (lines: string) => void = () => undefined;

function print(text: string): void {
  waiting += `${text}\n`;
  if (waiting.length > 2048) flush();
}

function flush(): void {
  if (waiting) tell(waiting);
  waiting = '';
}

/** The output as a device that can be written anywhere, which spares the copy in memory. */
function addOutput(core: Core, path: string): number {
  const output = openSync(path, 'w');
  let size = 0;
  const device = core.FS.makedev(64, 1);
  core.FS.registerDevice(device, {
    open: (stream: { seekable: boolean }) => {
      stream.seekable = true;
    },
    llseek: (stream: Stream, offset: number, whence: number) =>
      whence === 1 ? stream.position + offset : whence === 2 ? size + offset : offset,
    write: (_: Stream, bytes: Int8Array, offset: number, length: number, position: number) => {
      const part = new Uint8Array(bytes.buffer, bytes.byteOffset + offset, length);
      for (let done = 0; done < length; ) done += writeSync(output, part, done, length - done, position + done);
      size = Math.max(size, position + length);
      return length;
    },
  });
  core.FS.mkdev('/output', 0o666, device);
  return output;
}

/** How Emscripten takes a program that is compiled: it gives the imports, and gets the instance. */
type Instantiate = (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;

/** Runs ffmpeg in WebAssembly, compiled before, on a job, and hands over what it prints, whole lines. Resolves with its exit code. */
export async function runJob(
  job: MediaJob,
  program: WebAssembly.Module,
  take: (lines: string) => void,
): Promise<number> {
  tell = take;
  file = openSync(job.path, 'r');
  // The package is built for a worker of a browser: it looks for its own address and for a synchronous reader of blobs.
  Object.assign(globalThis, { self: { location: { href: 'file:///' } }, FileReaderSync: PieceReader });
  const create = require('@ffmpeg/core') as (options: { instantiateWasm: Instantiate }) => Promise<Core>;
  const core = await create({
    instantiateWasm: (imports, done) => {
      done(new WebAssembly.Instance(program, imports));
      return {};
    },
  });
  core.FS.mkdir('/in');
  const blobs = job.inputs.map((ranges, index) => ({
    name: String(index),
    data: new Piece(ranges ?? [[0, fstatSync(file).size]]),
  }));
  core.FS.mount(core.FS.filesystems.WORKERFS, { blobs }, '/in');
  const output = job.outputPath === null ? null : addOutput(core, job.outputPath);
  core.setLogger(({ message }) => print(message));
  const code = core.exec(...job.options);
  flush();
  if (output !== null) closeSync(output);
  closeSync(file);
  return code;
}

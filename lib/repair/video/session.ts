import { OpenFile } from '../host/files';
import type { EngineJob, EngineOutput } from '../report';
import { Sink } from './sink';
import { Source } from './source';

/** What every container's repair reads with. */
export type Reading = {
  job: EngineJob;
  source: Source;
  /** A working video of the same camera, when one was added. */
  sample: Source | null;
  /** Tells how far a pass is: `from` and `to` are the share of the whole job that the pass covers. */
  tell: (offset: number, from: number, to: number) => Promise<void>;
  /** Whether pieces of the file stand in each other's place: asked before wrong bits are looked for in what cannot be read, which takes longer. */
  isMoved?: () => Promise<boolean>;
};

/** Opens the job's files, runs the repair and closes them, whatever happens. */
export async function withReading<T>(job: EngineJob, run: (reading: Reading) => Promise<T>): Promise<T> {
  const file = await OpenFile.open(job.inputPath, 'read');
  const { samplePath } = job;
  const sampleFile = samplePath === undefined ? null : await OpenFile.open(samplePath, 'read').catch(() => null);
  try {
    const source = new Source(file);
    const sample = sampleFile && new Source(sampleFile);
    const tell = async (offset: number, from: number, to: number) => {
      job.progress(Math.min(0.999, from + (to - from) * Math.min(1, offset / Math.max(1, source.size))));
      await source.pause(job.deadline);
    };
    return await run({ job, source, sample, tell });
  } finally {
    await file.close();
    await sampleFile?.close();
  }
}

/** Writes the job's output through a sink and closes it. */
export async function writeOutput(job: EngineJob, write: (sink: Sink) => Promise<void>): Promise<EngineOutput> {
  const file = await OpenFile.open(job.outputPath, 'write');
  try {
    const sink = new Sink(file);
    await write(sink);
    sink.flush();
  } finally {
    await file.close();
  }
  return { kind: 'written' };
}

/** Opens the written output again for a check. */
export async function readOutput<T>(job: EngineJob, check: (source: Source) => Promise<T>): Promise<T> {
  const file = await OpenFile.open(job.outputPath, 'read');
  try {
    return await check(new Source(file));
  } finally {
    await file.close();
  }
}

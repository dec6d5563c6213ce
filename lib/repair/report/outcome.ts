import type { Unpacked } from '../core/transfer/carrier';
import type { Once } from '../core/transfer/twice';
import type { Buffer } from '../host/bytes';
import type { Deadline, RepairLimits } from './limits';
import type { Finding, Measure, Reason, RepairStep, Verdict } from './types';

/** What an engine gets. `bytes` is the whole file for documents and photos; videos are read from `inputPath` in pieces and `bytes` is their head. */
export type EngineJob = {
  format: string;
  bytes: Buffer;
  inputPath: string;
  /** Where a streaming engine writes; an engine that returns bytes leaves it alone. */
  outputPath: string;
  fileName: string;
  samplePath: string | undefined;
  limits: RepairLimits;
  deadline: Deadline;
  /** What a transfer had made of the file, where `bytes` is what it was before. */
  undone?: Pick<Unpacked | Once, 'how' | 'count'> | undefined;
  progress: (fraction: number) => void;
};

/** The result of a repair: the input itself, bytes to write, a file already written to `outputPath`, or nothing. */
export type EngineOutput =
  | { kind: 'input' }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'written' }
  | { kind: 'none' };

/** What an engine hands back; `repairFile` adds digests, version and duration. */
export type Outcome = {
  verdict: Verdict;
  reason?: Reason | undefined;
  format: string | null;
  summary: string;
  notes: string[];
  found: Finding[];
  steps: RepairStep[];
  kept: Measure[];
  rebuilt: Measure[];
  lost: Measure[];
  wantsSample?: boolean | undefined;
  output: EngineOutput;
};

/** The outcome of a repair that found nothing and hands out nothing, but for its sentence. */
export const nothingHandedOut = {
  verdict: 'unrepairable',
  found: [],
  steps: [],
  kept: [],
  rebuilt: [],
  lost: [],
  output: { kind: 'none' },
} satisfies Partial<Outcome>;

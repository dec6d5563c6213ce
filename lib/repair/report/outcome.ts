import type { Buffer } from '../host/bytes';
import type { Deadline, RepairLimits } from './limits';
import type { Family, Finding, Measure, RepairStep, Verdict } from './types';

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

/** An engine repairs every format of one family. It never throws for bad content, except LimitError, which the entry point words. */
export type Engine = (job: EngineJob) => Promise<Outcome>;
export type Engines = Record<Family, Engine>;

/** Collects findings, steps and measures while a repair goes on, and closes it with a verdict. */
export class Draft {
  readonly found: Finding[] = [];
  readonly steps: RepairStep[] = [];
  readonly notes: string[] = [];
  readonly kept: Measure[] = [];
  readonly rebuilt: Measure[] = [];
  readonly lost: Measure[] = [];
  readonly format: string | null;
  /** Set where a working file from the same camera would bring back more. */
  wantsSample = false;

  constructor(format: string | null) {
    this.format = format;
  }

  /** Notes a kind of damage once per kind and place; a report of thousands of lines helps nobody. */
  find(kind: string, detail: string, offset: number | null = null): void {
    if (this.found.length >= 100) return;
    if (this.found.some((other) => other.kind === kind && other.offset === offset && other.detail === detail)) return;
    this.found.push({ kind, detail, offset });
  }

  step(name: string, detail: string): void {
    if (this.steps.length < 100) this.steps.push({ name, detail });
  }

  note(text: string): void {
    if (this.notes.length < 50 && !this.notes.includes(text)) this.notes.push(text);
  }

  #close(verdict: Verdict, summary: string, output: EngineOutput): Outcome {
    const { format, notes, found, steps, kept, rebuilt, lost } = this;
    const told = { verdict, format, summary, notes, found, steps, kept, rebuilt, lost, output };
    const wanted = this.wantsSample && (verdict === 'partly' || verdict === 'unrepairable');
    return wanted ? { ...told, wantsSample: true } : told;
  }

  healthy(summary: string): Outcome {
    return this.#close('healthy', summary, { kind: 'input' });
  }

  /** Repaired when nothing is listed as lost, otherwise partly repaired. */
  done(output: EngineOutput, sentences: { repaired: string; partly: string }): Outcome {
    return this.lost.length === 0
      ? this.#close('repaired', sentences.repaired, output)
      : this.#close('partly', sentences.partly, output);
  }

  unrepairable(summary: string): Outcome {
    this.kept.length = 0;
    this.rebuilt.length = 0;
    return this.#close('unrepairable', summary, { kind: 'none' });
  }
}

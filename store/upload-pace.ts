import { create } from 'zustand';
import type { OnlineTool } from '../lib/catalog/tools';

/** How an upload gets on: seconds that are left, null where nothing tells yet; whether the connection is gone for now. */
export type UploadPace = { secondsLeft: number | null; isCutOff: boolean };

const unknown: UploadPace = { secondsLeft: null, isCutOff: false };
const usePaces = create<Record<OnlineTool['kind'], UploadPace>>(() => ({
  video: unknown,
  file: unknown,
  photo: unknown,
}));

/** How the upload of a tool gets on. */
export function useUploadPace({ kind }: OnlineTool): UploadPace {
  return usePaces((paces) => paces[kind]);
}

/** The pace counts over this time: long enough to be steady, short enough to follow the line. */
const WINDOW_MS = 10_000;
/** Before this nothing is said. */
const LEAST_MS = 2000;

/** Tells from bytes sent at a time how long the rest takes. */
export class Pace {
  #marks: { at: number; sent: number }[] = [];

  constructor(private readonly total: number) {}

  /** Notes how much has been sent; the seconds that are left, null where nothing tells. */
  note(sent: number, at: number): number | null {
    const last = this.#marks.at(-1);
    // After a break some of it is sent again: what came before tells nothing.
    if (last && sent < last.sent) this.#marks = [];
    this.#marks.push({ at, sent });
    while ((this.#marks[1]?.at ?? at) <= at - WINDOW_MS) this.#marks.shift();
    const [first] = this.#marks;
    if (!first || at - first.at < LEAST_MS || sent <= first.sent) return null;
    return ((this.total - sent) * (at - first.at)) / (sent - first.sent) / 1000;
  }
}

/** Follows an upload from its beginning; each call shows how it gets on. */
export function followUpload({ kind }: OnlineTool, total: number) {
  const pace = new Pace(total);
  const set = (value: UploadPace) => usePaces.setState({ [kind]: value });
  set(unknown);
  return {
    sent: (bytes: number) => set({ secondsLeft: pace.note(bytes, performance.now()), isCutOff: false }),
    cutOff: (isCutOff: boolean) => {
      if (isCutOff) set({ secondsLeft: null, isCutOff });
    },
  };
}

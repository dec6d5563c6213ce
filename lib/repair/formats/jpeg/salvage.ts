import { McuReader } from '../../codecs/jpeg/reader';
import { Buffer } from '../../host/bytes';
import { Canvas } from './canvas';
import type { Chain } from './chain';
import { EdgeStore, seam } from './edgestore';
import { type Damage, Filling, type SalvageFacts, type Work } from './filling';
import { Mender } from './mend';
import { Searches } from './searches';
import type { Span, Spans } from './spans';
import { coarseSteps, keenSteps, StepWatch, surelySteps } from './steps';
import type { Stretch } from './stretches';

/** Reads all data and puts every MCU where it belongs, going on behind each break as well as can be. */
export class Salvage {
  readonly canvas: Canvas;
  readonly damages: Damage[] = [];
  readonly stretches: Stretch[];
  readonly #facts: SalvageFacts;
  readonly #work: Work;

  /** `earlier` is another reading of the same data: what is read at the same place again is taken from there. */
  constructor(facts: SalvageFacts, stretches: readonly Stretch[], earlier: Canvas | null = null) {
    this.#facts = facts;
    this.stretches = [...stretches];
    this.canvas = new Canvas(facts.layout, facts.tables);
    const { canvas, damages } = this;
    const limits = facts.strict ? surelySteps : facts.plan.dcOnly ? coarseSteps : keenSteps;
    this.#work = {
      facts,
      canvas,
      stretches: this.stretches,
      damages,
      versions: new Uint32Array(stretches.length).fill(1),
      searches: facts.searches ?? new Searches(),
      mender: new Mender(canvas, facts.plan),
      steps: new StepWatch(canvas, limits),
      excess: new Float32Array(facts.layout.total),
      earlier,
    };
  }

  /** Fills the canvas from spans in the picture's order; `chains` are the stretches as they read from end to end. */
  run({ list, joints, turns }: Spans, chains: readonly Chain[]): void {
    const { interval, hasEnd, layout } = this.#facts;
    let left = turns;
    let shift = 0;
    for (const [index, span] of list.entries()) {
      this.#facts.deadline.check();
      if (left > 0 && joints.includes(index)) {
        const more = index === joints.at(-1) ? left : this.#turnsAt(list.slice(index), shift, left);
        left -= more;
        shift += more * 8 * interval;
      }
      const moved = { ...span, from: span.from + shift, to: Math.min(layout.total, span.to + shift) };
      const stretch = this.stretches[span.stretch];
      if (moved.from >= moved.to || !stretch) continue;
      new Filling(this.#work, stretch, moved, index + 1 < list.length || hasEnd, chains[span.stretch]).run();
    }
  }

  /** How many times eight intervals are missing before a span: as many as let the next row fit best under what is there. */
  #turnsAt(spans: readonly Span[], shift: number, most: number): number {
    const { interval, plan } = this.#facts;
    const { canvas } = this;
    const costs = new Float64Array(most + 1);
    const store = new EdgeStore(canvas.layout, canvas.edges.tables, 1);
    let seen = 0;
    for (const span of spans) {
      const reader = new McuReader(this.stretches[span.stretch]?.data ?? Buffer.alloc(0), plan);
      for (let mcu = 0; mcu < interval && seen < canvas.layout.across && reader.mcu(); mcu++, seen++) {
        store.set(0, reader.coefficients, reader.last);
        for (let turn = 0; turn <= most; turn++) {
          const above = span.from + mcu + shift + turn * 8 * interval - canvas.layout.across;
          const fits = above >= 0 && above < canvas.layout.total && canvas.filled[above] === 1;
          costs[turn] = (costs[turn] ?? 0) + (fits ? Math.min(60, seam(canvas.edges, above, store, 0)) : 14);
        }
      }
      if (seen >= canvas.layout.across) break;
    }
    return costs.indexOf(Math.min(...costs));
  }
}

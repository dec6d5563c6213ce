import { McuReader } from '../../codecs/jpeg/reader';
import type { SalvageFacts } from './filling';
import { isHardEdged } from './refute';
import { Salvage } from './salvage';
import type { Stretch } from './stretches';

/**
 * Share of the misfit of the picture as a decoder shows it below which another one is believed. Where bits were set right that were
 * wrong it came to 0.93 or less, where none was to 0.97.
 */
const clearlyBetter = 0.95;

/**
 * The picture as a decoder shows it: every MCU where it comes, over codes that make no sense. Null where the data does not end with the
 * last of as many MCUs as the picture has: Huffman codes fall into step again by themselves, mostly with an MCU more or less, so that only
 * where the number is right nothing has moved.
 */
function asRead(facts: SalvageFacts, stretches: readonly Stretch[]): Salvage | null {
  const [only] = stretches;
  if (!only || stretches.length > 1 || facts.interval > 0 || !facts.hasEnd) return null;
  const plan = { ...facts.plan, lenient: true };
  const salvage = new Salvage({ ...facts, plan }, stretches);
  const reader = new McuReader(only.data, plan);
  for (let place = 0; place < facts.layout.total; place++) {
    if ((place & 0x3ff) === 0) facts.deadline.check();
    if (reader.finished()) return null;
    const { faults } = reader;
    salvage.canvas.note(place, 0, reader);
    if (!reader.mcu()) return null;
    salvage.canvas.keep(place, reader, reader.faults === faults ? 1 : 0);
  }
  return reader.finished() ? salvage : null;
}

/**
 * The picture as a decoder shows it, where it has the right number of MCUs and what was made of it does not fit clearly better; null
 * otherwise.
 */
export function betterAsRead(salvage: Salvage, facts: SalvageFacts, stretches: readonly Stretch[]): Salvage | null {
  const { damages, canvas } = salvage;
  if (damages.length === 0) return null;
  const read = asRead(facts, stretches);
  if (!read) return null;
  // Of a drawing or screen not even the fit of what was moved tells anything, unless nothing of it is missing then.
  const isPartLost = canvas.count() < facts.layout.total;
  // Only up to the first damage edges are surely the picture's own.
  const first = read.canvas.firstAt({ stretch: 0, byte: Math.min(...damages.map(({ byte }) => byte)) });
  const isBlind = isPartLost && isHardEdged(read, first, facts.hasEnd);
  if (!isBlind && canvas.disorder(read.canvas).mean < read.canvas.disorder(canvas).mean * clearlyBetter) return null;
  const sure = damages.filter(({ key }) => key === undefined);
  for (const { stretch, byte } of sure.length > 0 ? sure : damages.slice(0, 1))
    read.damages.push({ stretch, byte, kind: 'stays' });
  return read;
}

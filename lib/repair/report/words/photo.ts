import { counted } from '../counted';
import type { End } from '../facts';
import type { Amount, Damage, Hopeless, Loss, PhotoFacts, Remark, Size, Step } from '../facts/photo';
import type { Finding, Measure, RepairStep } from '../types';

/** Every sentence of a report on a photo, made from its facts. Another language would be another file like this one. */

const size = ({ width, height }: Size): string => `${width} × ${height}`;

function damageDetail(damage: Damage): string {
  switch (damage.kind) {
    case 'textmode':
      return 'Every line end was changed, as happens when a file is sent in text mode.';
    case 'head':
      return damage.how === 'signature'
        ? 'The signature at the beginning was missing.'
        : 'Before the picture there were bytes that do not belong to it.';
    case 'chunk':
      return `The ${damage.type ?? 'unnamed'} part is damaged, or its length or check sum is wrong.`;
    case 'end':
      return 'The end of the picture was missing.';
    case 'header':
      return 'The header with the size and kind of the picture was missing or wrong.';
    case 'data':
      return damage.how === 'packed'
        ? 'The compressed picture data is damaged or cut short.'
        : 'A decoder has to look past faults to show the picture.';
  }
}

/** A kind of damage as the report names it. */
export const findingOf = (damage: Damage): Finding => ({
  kind: damage.kind,
  detail: damageDetail(damage),
  offset: damage.offset ?? null,
});

/** A step as the report names it. */
export function stepOf(step: Step): RepairStep {
  switch (step.kind) {
    case 'textmode':
      return {
        name: 'Restore line ends',
        detail: `${counted(step.bytes, 'byte')} that the transfer had added were taken out.`,
      };
    case 'returns':
      return {
        name: 'Restore line ends',
        detail: `Bytes that a transfer in text mode had taken out were put back in ${counted(step.parts, 'part')}.`,
      };
    case 'bits':
      return { name: 'Correct bits', detail: bitsDetail(step) };
    case 'partBits':
      return {
        name: 'Correct bits',
        detail: `One wrong bit was found and set right in ${counted(step.parts, 'part')}, where the check sum shows its place.`,
      };
    case 'size':
      return { name: 'Find size', detail: `By its rows and check sums the picture is ${size(step)} pixels.` };
    case 'behind':
      return {
        name: 'Find rows behind the damage',
        detail: `Reading went on behind ${counted(step.places, 'damaged place')}, and the rows there were put where they belong.`,
      };
    case 'fill':
      return {
        name: 'Fill in',
        detail: `${counted(step.rows, 'lost row was', 'lost rows were')} filled in from those beside them.`,
      };
    case 'rewrite':
      return {
        name: 'Rewrite picture',
        detail: 'The parts of the picture were written anew with right lengths and check sums.',
      };
    case 'check':
      return {
        name: 'Check the result',
        detail: `The repaired photo was opened by another decoder: ${size(step)} pixels.`,
      };
  }
}

function bitsDetail({ bits, by }: Extract<Step, { kind: 'bits' }>): string {
  const what = counted(bits, 'wrong bit was', 'wrong bits were');
  return by === 'sums'
    ? `${what} set right by the check sums.`
    : `${what} found by what ${bits === 1 ? 'it' : 'they'} did to the rows, and set right.`;
}

const remarks: Record<Remark['kind'], string> = {
  palette: 'The table of colours of the picture was lost; without it the pixels are numbers that mean nothing.',
  asItIs: 'Programs can show the photo as it is; rebuilding it would not have brought back more.',
};

export const noteOf = ({ kind }: Remark): string => remarks[kind];

function lossDetail(loss: Loss): string {
  switch (loss.unit) {
    case 'structure':
      return 'the damage is still in the file';
    case 'colours':
      return 'or more of the table may be wrong: its check sum does not fit';
    case 'descriptions':
      return 'beside the pixels, such as a colour profile, the resolution or texts';
    case 'rows':
      return loss.how === 'filled' ? `of ${loss.of}, filled in from those beside them` : 'whose colours may be off';
    case 'pixels':
      return 'or more may have a wrong colour: the check sum does not fit';
  }
}

export const lossOf = (loss: Loss): Measure => ({ unit: loss.unit, count: loss.count, detail: lossDetail(loss) });
export const amountOf = ({ unit, count, ...shown }: Amount): Measure => ({ unit, count, detail: size(shown) });
export const rebuiltOf = (rebuilt: never): Measure => rebuilt;

const whyHopeless: Record<Hopeless | 'unproven', string> = {
  lost: 'No part of this picture could be brought back.',
  noise: 'No part of this picture could be brought back.',
  unproven: 'The rebuilt picture did not pass its own check, so it is not handed out.',
};

/** How a repair ended, in one sentence. */
export function summaryOf(end: End<PhotoFacts>): string {
  if (end.verdict === 'unrepairable') return whyHopeless[end.why];
  switch (end.how) {
    case 'whole':
      return 'The structure of this picture is in order; it is returned unchanged.';
    case 'rebuilt':
      return 'The photo was written anew.';
    case 'asItIs':
      return 'The photo can be shown as it is, with the damage still visible.';
    case 'shown':
      if (end.verdict === 'healthy')
        return `Nothing is wrong with this picture of ${size(end)} pixels; it is returned unchanged.`;
      return end.verdict === 'repaired'
        ? `The photo was repaired: ${size(end)} pixels.`
        : `The photo opens again with ${size(end)} pixels, but parts of it were lost.`;
  }
}

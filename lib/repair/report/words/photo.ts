import { counted } from '../counted';
import type { End } from '../facts';
import type { Amount, Damage, Hopeless, Loss, PhotoFacts, Rebuilt, Remark, Size, Step } from '../facts/photo';
import type { Finding, Measure, RepairStep } from '../types';

/** Every sentence of a report on a photo, made from its facts. Another language would be another file like this one. */

const size = ({ width, height }: Size): string => `${width} × ${height}`;

/** Sentences for kinds of damage that need no figure. */
const damages = {
  textmode: 'Every line end was changed, as happens when a file is sent in text mode.',
  end: 'The end of the picture was missing.',
  scan: 'The header before the picture data was missing.',
  huffman: 'Tables that are needed to unpack the picture were missing.',
  quantisation: 'Tables that set the brightness and sharpness of the picture were missing.',
  restart: 'The note of how often the data begins anew was missing.',
  size: 'The size noted for the picture does not fit its data.',
  frame: 'The part that tells size and make-up of the picture was missing.',
};

const headers = {
  lost: 'The header with the size and kind of the picture was missing or wrong.',
  between: 'Between the parts of the header there is damage.',
  length: 'The length of a part of the header is wrong.',
  damaged: 'A part of the header is damaged.',
  returns: 'A part of the header lost bytes at its line ends.',
};

const data = {
  packed: 'The compressed picture data is damaged or cut short.',
  decoder: 'A decoder has to look past faults to show the picture.',
  damaged: 'The picture data is damaged.',
  cut: 'The picture data is cut short.',
  damagedOrCut: 'The picture data is damaged or cut short.',
};

function headDetail(damage: Extract<Damage, { kind: 'head' }>): string {
  switch (damage.how) {
    case 'signature':
      return 'The signature at the beginning was missing.';
    case 'mark':
      return 'The mark that begins the picture was missing.';
    case 'before':
      return `Before the picture there were ${damage.bytes === undefined ? '' : `${damage.bytes} `}bytes that do not belong to it.`;
  }
}

function damageDetail(damage: Damage): string {
  switch (damage.kind) {
    case 'head':
      return headDetail(damage);
    case 'header':
      return headers[damage.how];
    case 'chunk':
      return `The ${damage.type ?? 'unnamed'} part is damaged, or its length or check sum is wrong.`;
    case 'data':
      return data[damage.how];
    default:
      return damages[damage.kind];
  }
}

/** A kind of damage as the report names it. */
export const findingOf = (damage: Damage): Finding => ({
  kind: damage.kind,
  detail: damageDetail(damage),
  offset: damage.offset ?? null,
});

const stepNames: Record<Step['kind'], string> = {
  textmode: 'Restore line ends',
  returns: 'Restore line ends',
  bits: 'Correct bits',
  partBits: 'Correct bits',
  size: 'Find size',
  behind: 'Find rows behind the damage',
  fill: 'Fill in',
  interval: 'Find the interval',
  tables: 'Guess tables',
  mend: 'Mend the data',
  realign: 'Realign',
  anew: 'Write anew',
  rewrite: 'Rewrite picture',
  check: 'Check the result',
};

const rewritten = {
  parts: 'The parts of the picture were written anew with right lengths and check sums.',
  headers: 'The headers were written anew around the picture data.',
  intactHeaders: 'The headers were written anew around the picture data, which is intact.',
};

function tablesDetail(step: Extract<Step, { kind: 'tables' }>): string {
  if (step.from === 'survivor') return 'The lost tables were set after the one that survived.';
  const how = step.from === 'preview' ? 'after the small preview in the file' : 'by the reach of the colours';
  return `The lost tables were set ${how} (near quality ${step.quality} of 100).`;
}

function bitsDetail({ bits, by }: Extract<Step, { kind: 'bits' }>): string {
  const what = counted(bits, 'wrong bit was', 'wrong bits were');
  return by === 'sums'
    ? `${what} set right by the check sums.`
    : `${what} found by what ${bits === 1 ? 'it' : 'they'} did to the rows, and set right.`;
}

function stepDetail(step: Step): string {
  switch (step.kind) {
    case 'textmode':
      return `${counted(step.bytes, 'byte')} that the transfer had added were taken out.`;
    case 'returns':
      return `Bytes that a transfer in text mode had taken out were put back in ${counted(step.parts, 'part')}.`;
    case 'bits':
      return bitsDetail(step);
    case 'partBits':
      return `One wrong bit was found and set right in ${counted(step.parts, 'part')}, where the check sum shows its place.`;
    case 'size':
      return `By its ${step.from === 'data' ? 'data' : 'rows and check sums'} the picture is ${size(step)} pixels.`;
    case 'behind':
      return `Reading went on behind ${counted(step.places, 'damaged place')}, and the rows there were put where they belong.`;
    case 'fill':
      return `${counted(step.rows, 'lost row was', 'lost rows were')} filled in from those beside them.`;
    case 'interval':
      return `By the data it begins anew every ${counted(step.blocks, 'block')}.`;
    case 'tables':
      return tablesDetail(step);
    case 'mend':
      return `${counted(step.places, 'place')} of the data could be set right, with nothing lost.`;
    case 'realign':
      return 'The picture behind the damage was moved back to where it belongs, with its brightness matched to what is above.';
    case 'anew':
      return step.firstPasses === null
        ? 'What was left of all its passes was put together and written as one.'
        : `What was left of ${counted(step.firstPasses, 'first pass', 'first passes')} and all finer ones was put together and written as one.`;
    case 'rewrite':
      return rewritten[step.of];
    case 'check':
      return `The repaired photo was opened by another decoder: ${size(step)} pixels.`;
  }
}

/** A step as the report names it. */
export const stepOf = (step: Step): RepairStep => ({
  name: step.kind === 'rewrite' && step.of !== 'parts' ? 'Rewrite headers' : stepNames[step.kind],
  detail: stepDetail(step),
});

const remarks: Record<Remark['kind'], string> = {
  palette: 'The table of colours of the picture was lost; without it the pixels are numbers that mean nothing.',
  huffman: 'The lost unpacking tables were replaced by the ones that most cameras use.',
  tables: 'Brightness and contrast of the picture are a guess, since the tables that set them were lost.',
  unpackedNoise: 'What could be unpacked is noise or next to nothing; the tables needed to unpack it may be lost.',
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
    case 'tables':
      return 'of brightness and sharpness, replaced by a guess';
    case 'blocks':
      return `of ${loss.of}; filled with the colours around`;
    case 'passes':
      return 'of finer detail, lost for a part of the picture or all of it';
    case 'places':
      return 'where bytes are lost and blocks beside them may be wrong';
    case 'pixels':
      return 'or more may have a wrong colour: the check sum does not fit';
  }
}

export const lossOf = (loss: Loss): Measure => ({ unit: loss.unit, count: loss.count, detail: lossDetail(loss) });
export const amountOf = ({ unit, count, ...shown }: Amount): Measure => ({ unit, count, detail: size(shown) });
export const rebuiltOf = ({ unit, count }: Rebuilt): Measure => ({ unit, count });

const whyHopeless: Record<Hopeless | 'unproven', string> = {
  lost: 'No part of this picture could be brought back.',
  noise: 'No part of this picture could be brought back.',
  unproven: 'The rebuilt picture did not pass its own check, so it is not handed out.',
};

/** How a repair ended, in one sentence. */
export function summaryOf(end: End<PhotoFacts>, format: string): string {
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
        return `Nothing is wrong with this ${format === 'jpg' ? 'photo' : 'picture'} of ${size(end)} pixels; it is returned unchanged.`;
      return end.verdict === 'repaired'
        ? `The photo was repaired: ${size(end)} pixels.`
        : `The photo opens again with ${size(end)} pixels, but parts of it were lost.`;
  }
}

import type { Encoding } from '../../core/transfer/carried';
import { counted } from '../counted';
import type { CommonHopeless, End } from '../facts';
import type { Amount, Damage, Hopeless, PhotoEnd, PhotoFacts, Rebuilt, Size, Step } from '../facts/photo';
import type { Finding, Measure, RepairStep } from '../types';
import { carriedInWords, forEachWay, takenOut, takingOut, twiceInWords } from './carried';
import { fieldList } from './fields';
import { headDetail } from './heads';
import { movedBack, movedFound, pagesMovedBack } from './moved';
import { reasonWords } from './reasons';
import { sensorMended } from './sensor';

/** Every sentence of a report on a photo but its remarks and losses, made from its facts. Another language would be another file like this one. */

/** A format as people call it. */
const name = (format: string): string => format.toUpperCase();
const size = ({ width, height }: Size): string => `${width} × ${height}`;

/** Sentences for kinds of damage that need no figure. */
const damages = {
  end: 'The end of the picture was missing.',
  scan: 'The header before the picture data was missing.',
  huffman: 'Tables that are needed to unpack the picture were missing.',
  quantisation: 'Tables that set the brightness and sharpness of the picture were missing.',
  restart: 'The note of how often the data begins anew was missing.',
  size: 'The size noted for the picture does not fit its data.',
  frame: 'The part that tells size and make-up of the picture was missing.',
  lengths: 'Lengths that lead from part to part, or to the end, do not fit the file.',
  cut: 'Picture data lies beyond the end of the file: the file was cut short.',
};

const transfers = {
  added: 'Every line end was changed, as happens when a file is sent in text mode.',
  utf8: 'Every byte beyond plain letters was written as two, as happens when a file is stored as text.',
  twice: twiceInWords,
  ...forEachWay('', carriedInWords),
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
  sensor: 'The sensor data cannot be read to its end: a part of it is damaged, overwritten or missing.',
};

const directories = {
  lost: 'The description of the picture, with its size and the places of its data, was missing.',
  damaged: 'A list that describes the pictures of the file is damaged or lies beyond its end.',
  empty: 'The lists of the file do not describe its picture.',
  colours: 'The table that tells the colours of the pixels was overwritten, so that they are shown in wrong ones.',
  heap: 'The list at the end of the file, which tells where its pictures lie, is missing or damaged.',
};

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
    case 'fields':
      return `The description of the picture did not fit its data: ${fieldList(damage.fields)}.`;
    case 'bits':
      return `${counted(damage.strips, 'strip')} held wrong bits.`;
    case 'strips':
      return `${counted(damage.count, 'strip of the picture is', 'strips of the picture are')} damaged, overwritten or cut off.`;
    case 'moved':
      return movedFound(damage);
    case 'textmode':
      return transfers[damage.how];
    case 'exchanged':
      return `Two pieces of ${counted(damage.count, 'byte')} stand in each other’s place.`;
    case 'directory':
      return directories[damage.how];
    case 'boxes':
      return damage.how === 'broken'
        ? 'The parts of the file do not follow each other up to its end; it was cut short or damaged.'
        : `The part “${damage.type}”, which a raw photo of this kind needs, was not found.`;
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
  directory: 'Rebuild the directory',
  places: 'Correct places',
  moved: 'Move rows back',
  pagesBack: 'Move pages back',
  sensor: 'Mend the sensor data',
  textmode: 'Restore line ends',
  bits: 'Correct bits',
  partBytes: 'Correct by check sums',
  size: 'Find size',
  behind: 'Find rows behind the damage',
  fill: 'Fill in',
  interval: 'Find the interval',
  tables: 'Guess tables',
  mend: 'Mend the data',
  realign: 'Realign',
  levelled: 'Match brightness',
  exchanged: 'Put pieces back',
  anew: 'Write anew',
  fields: 'Correct description',
  stripBits: 'Set bits right',
  shape: 'Find shape',
  head: 'Rewrite head',
  takeOut: 'Take out the picture',
  fillData: 'Fill in',
  rewrite: 'Rewrite picture',
  rewriteStrips: 'Rewrite picture',
  check: 'Check the result',
};

const rewritten = {
  parts: {
    name: stepNames.rewrite,
    detail: 'The parts of the picture were written anew with right lengths and check sums.',
  },
  headers: { name: 'Rewrite headers', detail: 'The headers were written anew around the picture data.' },
  intactHeaders: {
    name: 'Rewrite headers',
    detail: 'The headers were written anew around the picture data, which is intact.',
  },
  chunks: {
    name: stepNames.rewrite,
    detail: 'The parts of the picture were written anew with right lengths.',
  },
  head: {
    name: stepNames.head,
    detail: 'The head was written anew and leads to the description that was found.',
  },
};

function headStep(step: Extract<Step, { kind: 'head' }>): string {
  switch (step.how) {
    case 'written':
      return 'The head was written anew.';
    case 'leads':
      return 'The head was written anew and leads to the description of the pictures that was found.';
    case 'cut':
      return `${step.bytes} bytes that do not belong to the photo were taken off its beginning.`;
  }
}

function checkDetail(step: Extract<Step, { kind: 'check' }>): string {
  switch (step.of) {
    case 'picture':
      return `The repaired photo was opened by another decoder: ${size(step)} pixels.`;
    case 'structure':
      return 'The structure of the repaired file was read again, and the picture inside was decoded.';
    case 'sensor':
      return `The structure of the repaired file and its sensor data were read again: ${size(step)} pixels.`;
    case 'jpeg':
      return `The JPEG was decoded: ${size(step)} pixels.`;
  }
}

function tablesDetail(step: Extract<Step, { kind: 'tables' }>): string {
  switch (step.from) {
    case 'survivor':
      return 'The lost tables were set after the one that survived.';
    case 'data':
      return 'One wrong bit in the unpacking tables was set right: with any other value the data makes no sense.';
    case 'rest':
      return 'Values that were written over in tables were set as the rest of them shows.';
    default:
      return `The lost tables were set ${step.from === 'preview' ? 'after the small preview in the file' : 'by the reach of the colours'} (near quality ${step.quality} of 100).`;
  }
}

function bitsDetail({ bits, by }: Extract<Step, { kind: 'bits' }>): string {
  const what = counted(bits, 'wrong bit was', 'wrong bits were');
  return by === 'sums'
    ? `${what} set right by the check sums.`
    : `${what} found by what ${bits === 1 ? 'it' : 'they'} did to the rows, and set right.`;
}

/** What was set right in so many parts, where the check sum of each tells its place. */
const partBytes: Record<Extract<Step, { kind: 'partBytes' }>['how'], (parts: string) => string> = {
  returns: (parts) => `Bytes that a transfer in text mode had taken out were put back in ${parts}.`,
  bit: (parts) => `One wrong bit was found and set right in ${parts}, where the check sum shows its place.`,
  bytes: (parts) => `Wrong bytes were found and set right in ${parts}, where the check sum shows their place.`,
  added: (parts) => `Bytes that had come in were taken out of ${parts}, where the check sum shows their place.`,
  missing: (parts) => `Lost bytes were put back in ${parts}, as the check sum tells them.`,
};

function stepDetail(step: Step): string {
  switch (step.kind) {
    case 'textmode':
      if (step.how === 'twice') return `${counted(step.bytes, 'byte')} that stood in the file twice were taken out.`;
      return takenOut(step.bytes);
    case 'bits':
      return bitsDetail(step);
    case 'partBytes':
      return partBytes[step.how](counted(step.parts, 'part'));
    case 'size':
      return `By its ${step.from === 'data' ? 'data' : 'rows and check sums'} the picture is ${size(step)} pixels.`;
    case 'behind':
      return `Reading went on behind ${counted(step.places, 'damaged place')}, and the rows there were put where they belong.`;
    case 'fill':
      return `${counted(step.rows, 'lost row was', 'lost rows were')} filled in from those beside them.`;
    case 'exchanged':
      return `${counted(step.count, 'pair of pieces that had changed places was', 'pairs of pieces that had changed places were')} put back, ${step.by === 'sums' ? 'as the check sums show' : 'by how the picture goes on'}.`;
    case 'interval':
      return `By the data it begins anew every ${counted(step.blocks, 'block')}.`;
    case 'tables':
      return tablesDetail(step);
    case 'mend':
      return `${counted(step.places, 'place')} of the data could be set right, with nothing lost.`;
    case 'realign':
      return 'The picture behind the damage was moved back to where it belongs, with its brightness matched to what is above.';
    case 'levelled':
      return `From ${counted(step.places, 'place')} on brightness or colours had changed for all that follows; they were brought back to those of the picture above.`;
    case 'anew':
      return step.firstPasses === null
        ? 'What was left of all its passes was put together and written as one.'
        : `What was left of ${counted(step.firstPasses, 'first pass', 'first passes')} and all finer ones was put together and written as one.`;
    case 'fields':
      return `Set right by what the data itself shows: ${fieldList(step.fields)}.`;
    case 'stripBits':
      return 'Single wrong bits were found by how rows fit together once they are right.';
    case 'moved':
      return movedBack(step);
    case 'pagesBack':
      return pagesMovedBack(step);
    case 'shape':
      return `By how its rows fit together the picture is ${size(step)} pixels with ${counted(step.samples, 'colour')} each.`;
    case 'head':
      return headStep(step);
    case 'directory':
      return step.of === 'first'
        ? 'The list that names the camera was written anew from what the file still tells; settings of the camera that stood there are lost.'
        : 'The list that describes the sensor data was written anew from the data itself.';
    case 'places':
      return `${counted(step.count, 'place')} of picture data had moved, and the lists of the file lead there again.`;
    case 'sensor':
      return sensorMended[step.how];
    case 'takeOut':
      return `The camera’s own JPEG of ${size(step)} pixels was taken out of the raw photo.`;
    case 'fillData':
      return `${counted(step.bytes, 'byte')} that were cut off were filled up, so that decoders can read what is left.`;
    case 'rewrite':
      return rewritten[step.of].detail;
    case 'rewriteStrips':
      return `The picture was put together from its ${counted(step.strips, 'strip')} and written anew.`;
    case 'check':
      return checkDetail(step);
  }
}

const undoneName = (how: 'twice' | Encoding) => (how === 'twice' ? 'Take out what stood twice' : takingOut(how));

function nameOf(step: Step): string {
  if (step.kind === 'rewrite') return rewritten[step.of].name;
  return step.kind === 'textmode' && step.how ? undoneName(step.how) : stepNames[step.kind];
}

/** A step as the report names it. */
export const stepOf = (step: Step): RepairStep => ({
  name: nameOf(step),
  detail: stepDetail(step),
});

export const amountOf = ({ unit, count, isPreview, ...shown }: Amount): Measure => ({
  unit,
  count,
  detail: isPreview ? `preview ${size(shown)}` : size(shown),
});
export const rebuiltOf = ({ unit, count }: Rebuilt): Measure => ({ unit, count });

function whyHopeless(why: Hopeless | CommonHopeless, format: string): string {
  switch (why) {
    case 'reads-best-as-is':
    case 'not-looked-into':
      return reasonWords('photo')[why];
    case 'lost':
    case 'noise':
      return 'No part of this picture could be brought back.';
    case 'unproven':
      return 'The rebuilt picture did not pass its own check, so it is not handed out.';
    case 'noPreview':
      return `Neither the sensor data nor any picture inside this ${name(format)} photo could be brought back.`;
  }
}

/** How a repair ended that leaves a picture of this size. */
function shownSummary(end: Extract<PhotoEnd, Size>, format: string): string {
  if (end.how === 'structure') return `The structure of this ${name(format)} photo was repaired.`;
  if (end.how === 'jpeg')
    return `The raw data is beyond repair, but the camera’s own picture of ${size(end)} pixels inside it was saved as a JPEG.`;
  if (end.how === 'inside')
    return `The photo itself is beyond repair, but a smaller picture of ${size(end)} pixels inside the file was saved.`;
  if (end.verdict === 'healthy') {
    const said = format === 'png' ? 'Nothing is wrong with' : 'Nothing wrong was found in';
    return `${said} this ${format === 'jpg' ? 'photo' : 'picture'} of ${size(end)} pixels; it is returned unchanged.`;
  }
  return end.verdict === 'repaired'
    ? `The photo was repaired: ${size(end)} pixels.`
    : `The photo opens again with ${size(end)} pixels, but parts of it were lost.`;
}

/** How a repair ended, in one sentence. */
export function summaryOf(end: End<PhotoFacts>, format: string): string {
  if (end.verdict === 'unrepairable') return whyHopeless(end.why, format);
  switch (end.how) {
    case 'whole':
      return format === 'tif'
        ? 'The structure of this picture is in order; it is returned unchanged.'
        : `Nothing is wrong with the structure of this ${name(format)} photo; it is returned unchanged.`;
    case 'rebuilt':
      return 'The photo was written anew.';
    default:
      return shownSummary(end, format);
  }
}

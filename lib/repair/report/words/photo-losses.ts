import type { Loss } from '../facts/photo';
import type { Measure } from '../types';

/** What stands where nothing came back. */
const madeUp = 'rows and colours that are missing there are filled from those around them';

const stripsDoubtful = {
  unproven: 'exact to the last bit: what was set right cannot be proven',
  askew: 'or more, whose rows stand beside their place; from which one on does not show, so they are left as they are',
};

function stripsLost(loss: Extract<Loss, { unit: 'strips' }>): string {
  if (loss.how !== 'filled') return stripsDoubtful[loss.how];
  return loss.of === undefined ? madeUp : `of ${loss.of}, in whole or in part; ${madeUp}`;
}

const descriptionsLost = {
  shape: 'of size and colours: those that its rows suggest were taken, which nothing proves',
  blocks:
    'of the exact size: that of whole blocks was taken, so that some columns or rows at the edges may be none of the picture',
  canvas: 'of the size of the animation: the least that holds all of its frames was taken',
  beginning: 'of the animation, such as how often it is played; frames before the first one may be missing as well',
  greys:
    'resolution and whatever else the file told about the picture; had it a table of colours, what is shown as greys are their numbers',
  firstPage: 'of the first page, whose shape was found from its data',
  picture: 'resolution, colour profile and whatever else the file told about the picture',
};

const bytesLost = {
  cut: 'of the picture data that were cut off',
  missing: 'of the picture data, filled in from the row above',
  wiped: 'of the picture, wiped together with the head of the file',
  photo: 'of the photo itself, which lost what is needed to unpack them',
};

function lossDetail(loss: Loss): string {
  switch (loss.unit) {
    case 'colours':
      return 'or more of the table may be wrong: its check sum does not fit';
    case 'descriptions':
      if (loss.how === 'camera') return 'of the camera, such as its white balance and the time of the photo';
      return 'beside the pixels, such as a colour profile, the resolution or texts';
    case 'rows':
      return loss.how === 'filled' ? `of ${loss.of}, filled in from those beside them` : 'whose colours may be off';
    case 'strips':
      return stripsLost(loss);
    case 'bytes':
      return bytesLost[loss.how];
    case 'data':
      return 'of the picture is damaged where a decoder cannot follow';
    case 'pages':
    case 'frames':
      return loss.how === 'unread' ? `of ${loss.of}` : 'data before the other pages that nothing describes';
    case 'description':
      return descriptionsLost[loss.how];
    case 'sensor data':
      return loss.how === 'rows'
        ? `rows of ${loss.of} could not be brought back`
        : `the raw data of the ${loss.of.toUpperCase()} photo`;
    case 'pictures':
      return 'inside, which was damaged itself: parts of it were lost';
    case 'tables':
      if (loss.how === 'doubtful') return 'of brightness and sharpness, which stood in a damaged part and may be wrong';
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

/** A loss as the report counts it. */
export const lossOf = (loss: Loss): Measure => ({ unit: loss.unit, count: loss.count, detail: lossDetail(loss) });

import { counted } from '../counted';
import type { CommonHopeless, End } from '../facts';
import type {
  Amount,
  Damage,
  DecodedAmounts,
  Hopeless,
  Loss,
  Origin,
  Rebuilt,
  Remark,
  Step,
  Stretches,
  VideoFacts,
} from '../facts/video';
import type { Finding, Measure, RepairStep } from '../types';
import { carriedInWords, twiceInWords } from './carried';
import { reasonWords, untouchedWords } from './reasons';
import { soundRateOf, unseenOf } from './unproven';
import { indexDetail, sentAsText, structureDetail, timesDetail } from './video-details';

/** Every sentence of a report on a video, made from its facts. Another language would be another file like this one. */

/** Seconds as minutes and seconds, with hours where there are any. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60);
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const mostPlaces = 4;

/** Stretches in words: “at 0:12”, “from 0:12 to 0:15 and at 1:40”. */
export function places(stretches: Stretches): string {
  const sorted = [...stretches].sort((left, right) => left.from - right.from);
  const words = sorted.slice(0, mostPlaces).map(({ from, to }) => {
    const [begin, end] = [clock(from), clock(to)];
    return begin === end ? `at ${begin}` : `from ${begin} to ${end}`;
  });
  if (sorted.length > mostPlaces) words.push(`in ${counted(sorted.length - mostPlaces, 'more place')}`);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');
}

/** Damaged frames and sound in words: “3 frames and 1 piece of sound”. */
function damagedParts({ damagedFrames: inside, damagedSound, refused }: DecodedAmounts): string {
  const parts: string[] = [];
  const damagedFrames = inside + refused;
  if (damagedFrames > 0) parts.push(counted(damagedFrames, 'frame'));
  if (damagedSound > 0) parts.push(`${counted(damagedSound, 'piece')} of sound`);
  return parts.join(' and ');
}

function damageDetail(damage: Damage): string {
  switch (damage.kind) {
    case 'transfer':
      return damage.how === 'twice' ? twiceInWords : carriedInWords(damage.how, 'video');
    case 'textmode':
      return `The file was sent as if it were text, which ${sentAsText[damage.how]}.`;
    case 'header':
      return damage.how === 'size'
        ? 'The size or name at the beginning of the file was wrong.'
        : 'The beginning that says what the file is was missing or damaged.';
    case 'headers':
      return 'The description of picture and sound was missing or damaged.';
    case 'tracks':
      return 'The description of the tracks was missing or damaged.';
    case 'partitions':
      return 'The end of the file, or what leads to it, was missing.';
    case 'sync':
      return 'The mark at the start of a packet was overwritten.';
    case 'structure':
      return structureDetail[damage.how];
    case 'index':
      return indexDetail[damage.how];
    case 'tables':
      return damage.of === 'streams'
        ? 'The list of the streams in the video was missing or damaged.'
        : 'The tables of the index did not agree with one another.';
    case 'truncated':
      return damage.of === 'box'
        ? 'The file ends before its last part does.'
        : 'The data of the last part of the video is cut off.';
    case 'places':
      return damage.of === 'sound'
        ? 'The places of the sound in the file were wrong.'
        : `${counted(damage.count, 'packet')} did not lie where the index says.`;
    case 'content':
      return `${counted(damage.count, 'frame')} had damaged data inside.`;
    case 'missing':
      return `${counted(damage.count, 'packet')} of picture and sound are no longer in the file.`;
    case 'blocks':
      return `The heads of ${counted(damage.count, 'packet')} were damaged.`;
    case 'sums':
      return `The check sum of ${counted(damage.count, 'part')} of the video does not fit what it holds.`;
    case 'setup':
      return 'The packets that tell how picture and sound are decoded were missing.';
    case 'gap':
      return `${counted(damage.bytes, 'byte')} did not hold whole pictures or sound.`;
    case 'sizes':
      return damage.of === 'parts'
        ? 'The sizes in the file do not fit what it holds.'
        : `${counted(damage.count, 'packet size')} did not match.`;
    case 'times':
      return timesDetail[damage.how];
    case 'bits':
      return `${counted(damage.bits, 'bit')} inside ${counted(damage.frames, 'frame')} had changed.`;
    case 'exchanged':
      return `${counted(damage.count, 'piece')} of ${counted(damage.bytes, 'byte')} stand in each other’s place.`;
    case 'frames':
      return damage.how === 'overwritten'
        ? `Bytes inside ${counted(damage.frames, 'frame')} were overwritten with zeroes.`
        : `The data of ${counted(damage.frames, 'frame')} cannot be read to the end.`;
    case 'sounds':
      return `The data of ${counted(damage.count, 'sound packet')} cannot be read to the end, or does not fit its check sum.`;
    case 'decoding':
      return `Data inside the frames is damaged: ${damagedParts(damage.decoded)}, ${places(damage.decoded.damagedAt)}.`;
  }
}

/** A kind of damage as the report names it. */
export function findingOf(damage: Damage): Finding {
  const kind = damage.kind === 'decoding' ? 'frames' : damage.kind;
  return { kind, detail: damageDetail(damage), offset: damage.offset ?? null };
}

function decodedDetail({ frames, packets, seconds, complete }: DecodedAmounts): string {
  const amount = `${counted(frames, 'frame')} and ${counted(packets, 'piece')} of sound`;
  return complete
    ? `Decoded from beginning to end: ${amount}, ${clock(seconds)} long.`
    : `Decoded up to ${clock(seconds)}, as long videos are decoded in part: ${amount}.`;
}

const framesAndPackets = ({ frames, packets }: { frames: number; packets: number }) =>
  `${counted(frames, 'frame')} and ${counted(packets, 'sound packet')}`;

const rebuildDetail = {
  packets: 'The file was written anew from every whole packet.',
  index: 'Sizes and index were written anew from the pictures and sound themselves.',
  partitions: 'Partitions were written anew around every whole packet.',
  blocks: 'Head, sizes and index were written anew around every whole block.',
  samples: 'A new index was written, and every surviving frame and sound packet was copied behind it.',
  essence: 'A new file was written around the picture and sound, which were told by their own data.',
};

const backBy = {
  samples: 'with which the frames and sound in them can be read to their end',
  chain: 'with which the parts of the file lead from one to the next up to its end',
};

function stepDetail(step: Step): string {
  switch (step.kind) {
    case 'transfer':
      return step.how === 'again' || step.how === 'twice'
        ? 'What stood twice was taken out.'
        : 'The video was taken out of what carried it.';
    case 'textmode':
      return 'The bytes that were added on the way were taken out again.';
    case 'rebuild':
      return rebuildDetail[step.of];
    case 'bits':
      return `${counted(step.bits, 'wrong bit')} inside frames were found by reading them bit by bit, and set right.`;
    case 'exchanged':
      return `${counted(step.count, 'piece')} that had changed places were put back, ${backBy[step.by]}.`;
    case 'cut':
      return `${counted(step.bytes, 'byte', 'bytes')} behind the end of the video ${step.bytes === 1 ? 'was' : 'were'} cut off; the rest is as it was.`;
    case 'times':
      return `New times were given to ${counted(step.packets, 'packet')}.`;
    case 'blocks':
      return `${counted(step.count, 'packet head')} was set right by those of the others.`;
    case 'tracks':
      return `What ${counted(step.count, 'track')} hold was told from their frames.`;
    case 'frames':
      return `${framesAndPackets(step)} were found by the way they are stored.`;
    case 'check':
      return `Opened again: ${framesAndPackets(step)} were read.`;
    case 'trial':
      return `The size of the picture, ${step.width} by ${step.height}, was found by decoding the first frame.`;
    case 'search':
      return `How the pictures are decoded, ${step.width} by ${step.height}, was told by reading them until they fitted.`;
    case 'decode':
      return decodedDetail(step.decoded);
    case 'sound':
      return `Of the sound ${counted(step.decoded.packets, 'piece')} decoded, ${clock(step.decoded.seconds)} long.`;
  }
}

/** A step as the report names it. */
export const stepOf = (step: Step): RepairStep => ({ name: step.kind, detail: stepDetail(step) });

const timesFrom = {
  metadata: 'the frame rate that the file names',
  sound: 'the length of the sound',
  guess: 'a guess of 30 frames a second',
};
const codecsFrom: Record<Origin, string> = {
  index: 'what is left of the index',
  sample: 'the working video that you added',
  encoder: 'what the encoder wrote into the first frame',
  stream: 'the video itself',
};
const setupFrom = {
  sample: 'How picture and sound are decoded was taken from the working video that you added.',
  picture: 'How the pictures are decoded was told from what their encoder wrote into the first of them.',
  sound: 'How the sound is decoded was told from the sound itself.',
};

/** A remark in words. */
export function noteOf(remark: Remark): string {
  switch (remark.kind) {
    case 'times':
      return `The times of the pictures were counted anew from ${timesFrom[remark.from]}.`;
    case 'setup':
      return setupFrom[remark.from];
    case 'description':
      return 'The description of picture and sound was taken from the working video that you added.';
    case 'rate': {
      const shown = `The pictures are shown at ${Math.round(remark.rate * 100) / 100} frames a second`;
      return remark.isGuess
        ? `${shown}, which is a guess: the file no longer says.`
        : `${shown}, told from the pictures or from the length of the sound.`;
    }
    case 'soundRate':
      return soundRateOf(remark);
    case 'toldSound':
      return `Sound told from its data: ${remark.sounds.join('; ')}.`;
    case 'codecs':
      return `Codecs and times come from ${codecsFrom[remark.from]}.`;
    case 'jumps':
      return `In ${counted(remark.count, 'place')} packets are missing from the recording; what was never in the file cannot come back.`;
    case 'longer':
      return 'The file may once have been longer; everything that it holds now is kept.';
    case 'noIndexTable':
      return 'The index for quick jumps was left out, since places in the file have changed.';
    case 'search':
      return 'What tells how the pictures are decoded was gone and had to be found anew; their colours may differ a little.';
    case 'turnUntold':
      return 'Which way the camera was held stood in the part that is gone; a video taken upright may be shown on its side.';
    case 'soundAlone':
      return 'Only the sound could be brought back. For the pictures a working video from the same camera is needed.';
    case 'bitsUnseen':
      return unseenOf(remark);
    case 'undecoded':
      return 'The frames were counted but not decoded, so damage inside a frame would not be noticed.';
  }
}

const untold: Record<Extract<Loss, { how: 'untold' }>['unit'], string> = {
  'video tracks': 'of which nothing tells how it is decoded',
  'sound tracks': 'that cannot be decoded any more',
  packets: 'of which nothing tells the track',
  tracks: 'of which nothing tells the codec',
  streams: 'whose kind could not be told',
};

function lossDetail(loss: Loss): string {
  switch (loss.how) {
    case 'inside':
      return 'damaged inside';
    case 'doubtful':
      return 'set right, beside which other wrong bits may have passed unnoticed';
    case 'overwritten':
      return 'in part: bytes inside them were overwritten';
    case 'adrift':
      return 'at the beginning, which build on a frame that is gone';
    case 'decoding':
      return `damaged inside, ${places(loss.at)}`;
    case 'undecoded':
      return 'of which no frame can be decoded';
    case 'cut':
      return loss.unit === 'bytes'
        ? 'of pictures and sound that were cut or overwritten'
        : 'picture and sound that are cut off';
    case 'behind':
      return 'behind the last picture or sound that is left, by the length that the file tells';
    case 'before':
      return 'before the first picture or sound that is left';
    case 'stray':
      return 'that did not belong to whole packets';
    case 'apart':
      return `in ${counted(loss.places, 'place')} that could not be told apart`;
    case 'gone':
      return `${loss.seconds.toFixed(1)} seconds`;
    case 'trimmed':
      return 'cut back to their undamaged beginning';
    case 'listed':
      return 'that the index lists';
    case 'guessed':
      return loss.unit === 'frames'
        ? 'whose rows and colours had to be guessed, so that they may stand on their heads'
        : 'whose speed and channels had to be guessed';
    case 'toned':
      return 'whose contrast had to be guessed, so that it may look washed out or too harsh';
    case 'paced':
      return loss.unit === 'frames'
        ? 'whose speed had to be guessed'
        : 'whose speed had to be guessed, and with it that of any pictures';
    case 'split':
      return 'that may be cut from the next one at the wrong byte, as nothing tells their lengths';
    case 'untabled':
      return 'whose tables were gone';
    case 'unheard':
      return 'if there was sound, it cannot be told apart without the index';
    case 'changed':
      return 'in which bytes were changed';
    case 'unformatted':
      return 'whose format could not be told';
    case 'untold':
      return untold[loss.unit];
  }
}

export const lossOf = (loss: Loss): Measure => ({ unit: loss.unit, count: loss.count, detail: lossDetail(loss) });
export const amountOf = ({ unit, count }: Amount): Measure => ({ unit, count });

export function rebuiltOf(rebuilt: Rebuilt): Measure {
  const { unit, count } = rebuilt;
  if (rebuilt.how === 'anew') return { unit, count };
  if (rebuilt.how === 'bits') return { unit, count, detail: 'in which wrong bits were set right' };
  if (rebuilt.how === 'exchanged')
    return { unit, count, detail: unit === 'pieces' ? 'put back' : 'of which pieces were put back' };
  return { unit, count, detail: `${counted(rebuilt.streams, 'stream')} told by their content` };
}

const whyHopeless: Record<Hopeless | CommonHopeless, string> = {
  ...reasonWords('video'),
  empty: 'No picture or sound was found in this file, so there is nothing to bring back.',
  undescribed: 'The description of picture and sound is gone. A working video from the same camera would help.',
  untold: 'What tells how the pictures are decoded is gone. A working video from the same camera would help.',
  undecodable: 'No whole picture or sound that can be decoded is left in this file.',
  unproven: 'The rebuilt video did not pass its own check, so it is not handed out.',
  streamsGone: 'The list of the streams in this video is gone, and their kinds can’t be told from what is left.',
  indexGone:
    "The index of this video is gone, and its frames can't be told apart without it. A working video from the same camera would help.",
  ...untouchedWords,
  nothingFound: 'No frames could be found in this file, even with the working video that was added.',
  framesGone: 'The index is there, but none of the frames that it lists are left in the file.',
  allGone: 'The index is there, but nothing of the picture and sound that it lists is left in the file.',
  adrift: 'Every frame that is left builds on one that is gone, so that none of them can be shown as it was.',
  noFrames: 'Frames were found, but none of them could be decoded, so nothing is handed out.',
  nextToNothing: 'Next to nothing of what the video held can be decoded, so nothing is handed out.',
};

const ends = {
  whole: { all: 'Nothing wrong was found in this video; you get it back as it was.', part: '' },
  sent: {
    all: 'The video is repaired: it is as it was before it was sent.',
    part: 'The video is as it was before it was sent; other damage stays.',
  },
  bits: {
    all: 'The video is repaired: the bits found to have changed inside its frames are as they were.',
    part: 'Single bits that had changed inside frames are as they were; other damage inside frames stays.',
  },
  exchanged: {
    all: 'The video is repaired: pieces of it that stood in each other’s place are back where they were.',
    part: 'Pieces of the video that stood in each other’s place are back where they were; other damage stays.',
  },
  overwritten: {
    all: '',
    part: 'The file is in order and plays, but bytes inside some frames or pieces of sound were changed or are missing, which nothing can bring back; you get it back as it was.',
  },
  rebuilt: {
    all: 'The video is repaired: every picture and sound packet is kept.',
    part: 'The video plays again; the damaged pictures and sound are left out.',
  },
  essence: {
    all: 'The video is repaired: picture and sound were put into a new file.',
    part: 'Picture and sound were put into a new file; what was cut or overwritten is left out.',
  },
  silentEssence: { all: '', part: 'The picture plays again; sound whose format is no longer told is left out.' },
  found: {
    all: 'The video is repaired: its index was written anew from what its data looks like.',
    part: 'The video plays again; what could not be told apart is left out.',
  },
  soundOnly: { all: '', part: 'Only the sound of this video could be brought back.' },
  soundAlone: {
    all: '',
    part: 'The sound plays again, but none of the pictures could be decoded: what they need was in a part that is gone.',
  },
};

/** How a repair ended, in one sentence. */
export function summaryOf(end: End<VideoFacts>): string {
  if (end.verdict === 'unrepairable') return whyHopeless[end.why];
  if (end.how !== 'decoding') return end.verdict === 'partly' ? ends[end.how].part : ends[end.how].all;
  const { damagedFrames, damagedSound, damagedAt, refused } = end.decoded;
  const what = `${damagedParts(end.decoded)} ${places(damagedAt)}`;
  const hold = damagedFrames + damagedSound + refused === 1 ? 'holds' : 'hold';
  return end.before === 'healthy'
    ? `The file is in order and plays, but ${what} ${hold} damaged data that nothing can bring back; you get it back as it was.`
    : `The video plays again, but ${what} ${hold} damaged data that nothing can bring back.`;
}

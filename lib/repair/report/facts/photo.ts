import type { Encoding } from '../../core/transfer/carried';
import type { Handed } from '.';

/** Width and height of a picture in pixels. */
export type Size = { width: number; height: number };

/** A field of a TIFF that did not fit the data: one of its directory, or how far places are off. */
export type TiffField =
  | 'compression'
  | 'photometric'
  | 'samples'
  | 'depth'
  | 'width'
  | 'height'
  | 'rowsPerStrip'
  | 'places'
  | 'shift'
  | 'predictor'
  | 'camera'
  | 'colours';

/** Kinds of packing in a TIFF that are not unpacked here. */
export type PackedName = 'old-style JPEG' | 'JPEG' | 'JPEG 2000' | 'LZMA' | 'Zstandard' | 'WebP';

/** What keeps a TIFF from being shown though it is whole. */
export type Unusual =
  | { kind: 'lab' | 'samples' }
  | { kind: 'packing'; name: PackedName }
  | { kind: 'depth'; bits: number };

/** What can be wrong with a photo. */
export type Damage = { offset?: number } & (
  | { kind: 'textmode'; how: 'utf8' | 'added' | 'twice' | Encoding }
  | { kind: 'end' | 'scan' | 'huffman' | 'quantisation' | 'restart' | 'size' | 'frame' | 'lengths' }
  | { kind: 'head'; how: 'signature' | 'mark' | 'lead' | 'damaged' | 'preview' }
  | { kind: 'head'; how: 'before'; bytes?: number }
  | { kind: 'header'; how: 'lost' | 'between' | 'length' | 'damaged' | 'returns' }
  | { kind: 'chunk'; type: string | null }
  | { kind: 'data'; how: 'packed' | 'decoder' | 'damaged' | 'cut' | 'damagedOrCut' | 'sensor' }
  | { kind: 'fields'; fields: readonly TiffField[] }
  | { kind: 'bits'; strips: number }
  | { kind: 'strips'; count: number }
  | { kind: 'moved'; how: 'added' | 'missing'; bytes: number }
  | { kind: 'directory'; how: 'lost' | 'damaged' | 'empty' | 'heap' | 'colours' }
  | { kind: 'cut' }
  | { kind: 'exchanged'; count: number }
  | { kind: 'boxes'; how: 'broken' }
  | { kind: 'boxes'; how: 'missing'; type: 'moov' | 'mdat' }
);

/** What a repair of a photo did. */
export type Step =
  | { kind: 'textmode'; bytes: number; how?: 'twice' | Encoding }
  | { kind: 'bits'; bits: number; by: 'sums' | 'rows' }
  | { kind: 'partBytes'; how: 'returns' | 'bit' | 'bytes' | 'added' | 'missing'; parts: number }
  | ({ kind: 'size'; from: 'rows' | 'data' } & Size)
  | { kind: 'behind'; places: number }
  | { kind: 'fill'; rows: number }
  | { kind: 'interval'; blocks: number }
  | { kind: 'tables'; from: 'survivor' | 'rest' | 'data' }
  | { kind: 'tables'; from: 'preview' | 'colours'; quality: number }
  | { kind: 'mend'; places: number }
  | { kind: 'realign' }
  | { kind: 'levelled'; places: number }
  | { kind: 'exchanged'; count: number; by?: 'sums' }
  | { kind: 'anew'; firstPasses: number | null }
  | { kind: 'fields'; fields: readonly TiffField[] }
  | { kind: 'stripBits' }
  | { kind: 'moved'; how: 'added' | 'missing'; bytes: number }
  | { kind: 'pagesBack'; bytes: number }
  | ({ kind: 'shape'; samples: number } & Size)
  | { kind: 'head'; how: 'written' | 'leads' }
  | { kind: 'head'; how: 'cut'; bytes: number }
  | { kind: 'directory'; of: 'first' | 'sensor' }
  | { kind: 'places'; count: number }
  | { kind: 'sensor'; how: 'mended' | 'slipped' | 'filled' | 'colours' }
  | ({ kind: 'takeOut' } & Size)
  | { kind: 'fillData'; bytes: number }
  | { kind: 'rewrite'; of: 'parts' | 'headers' | 'intactHeaders' | 'head' | 'chunks' }
  | { kind: 'rewriteStrips'; strips: number }
  | ({ kind: 'check'; of: 'picture' | 'structure' | 'sensor' | 'jpeg' } & Size);

/** What a person should know of a repaired photo besides. */
export type Remark =
  | {
      kind:
        | 'palette'
        | 'asItIs'
        | 'huffman'
        | 'tables'
        | 'unpackedNoise'
        | 'lineEnds'
        | 'inside'
        | 'levels'
        | 'levelsBehind'
        | 'shape'
        | 'sensor'
        | 'sensorSizes'
        | 'unchecked';
    }
  | { kind: 'unusual'; unusual: Unusual }
  | { kind: 'preview'; of: string };

/** What a photo holds that can be handed out: its own pixels, or those of the picture inside a raw photo. */
export type Amount = { unit: 'pixels'; count: number; isPreview: boolean } & Size;

/** What was set right in place. */
export type Rebuilt = { unit: 'blocks'; count: number };

/** What could not be brought back. */
export type Loss = { count: number } & (
  | { unit: 'colours'; how: 'unproven' }
  | { unit: 'descriptions'; how: 'dropped' | 'camera' }
  | { unit: 'rows'; how: 'filled'; of: number }
  | { unit: 'rows'; how: 'doubtful' }
  | { unit: 'pixels'; how: 'unproven' }
  | { unit: 'tables'; how: 'guessed' | 'doubtful' }
  | { unit: 'blocks'; how: 'concealed'; of: number }
  | { unit: 'passes'; how: 'detail' }
  | { unit: 'places'; how: 'beside' }
  | { unit: 'strips'; how: 'unproven' | 'askew' }
  | { unit: 'strips'; how: 'filled'; of?: number }
  | { unit: 'bytes'; how: 'wiped' | 'cut' | 'missing' | 'photo' }
  | { unit: 'data'; how: 'undecoded' }
  | { unit: 'pages'; how: 'undescribed' }
  | { unit: 'pages' | 'frames'; how: 'unread'; of: number }
  | { unit: 'description'; how: 'firstPage' | 'picture' | 'greys' | 'shape' | 'blocks' | 'canvas' | 'beginning' }
  | { unit: 'sensor data'; how: 'raw'; of: string }
  | { unit: 'sensor data'; how: 'rows'; of: number }
  | { unit: 'pictures'; how: 'inside' }
);

/** Why nothing is handed out: nothing could be put together again, what could is no picture, or a raw photo has none inside. */
export type Hopeless = 'lost' | 'noise' | 'noPreview';

/**
 * How a repair ended beside the ways of every family: a decoder shows a picture of this size, by itself, inside a raw photo or taken out of
 * one.
 */
export type PhotoEnd = { verdict: Handed; how: 'shown' | 'structure' | 'jpeg' | 'inside' } & Size;

/** What is told of photos. */
export interface PhotoFacts {
  damage: Damage;
  step: Step;
  remark: Remark;
  amount: Amount;
  rebuilt: Rebuilt;
  loss: Loss;
  why: Hopeless;
  end: PhotoEnd;
}

import { counted } from '../counted';
import type { Damage, Step } from '../facts/photo';

/** Sentences of what bytes put into plain rows, or taken out of them, had moved. */

export const movedFound = ({ how, bytes }: Extract<Damage, { kind: 'moved' }>): string =>
  how === 'added'
    ? `${counted(bytes, 'byte')} that do not belong there stood in the picture data, and all behind them in the wrong place.`
    : `${counted(bytes, 'byte')} of the picture data were missing, and all behind them stood in the wrong place.`;

export const movedBack = ({ how, bytes }: Extract<Step, { kind: 'moved' }>): string =>
  how === 'added'
    ? `${counted(bytes, 'byte')} were taken out of the picture data where its rows stop to go together, so that they do again.`
    : `Room was made for ${counted(bytes, 'byte')} where the rows of the picture stop to go together, so that they do again.`;

export const pagesMovedBack = ({ bytes }: Extract<Step, { kind: 'pagesBack' }>): string =>
  `The pages behind were moved back by ${counted(bytes, 'byte')} to where the file leads to them.`;

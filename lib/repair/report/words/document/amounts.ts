import { counted } from '../../counted';
import type { Amount, Fact, Loss, LossFigures, Rebuilt } from '../../facts/document';
import type { Measure } from '../../types';
import { said, type Words } from './said';

/** The first of several names, and that there are more. */
function named(names: readonly string[], more = ''): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${shown}${more}` : shown;
}
const mostNamed = 6;

const pictureStates = { repaired: 'the picture was set right', partly: 'a part of the picture is missing' };

const losses: Words<LossFigures, string | undefined> = {
  'parts.gone': ({ names }) => named(names, ' and others'),
  'parts.ended': ({ part }) => `${part}: its text ends in the middle, and what came after is gone`,
  'parts.garbled': ({ part }) => `${part}: some of it was garbled and had to be left out`,
  'parts.share': ({ part, percent }) => `${part}: ${percent} % could be read`,
  'parts.differing': ({ part, of }) => `${part}: ${of} may differ`,
  'parts.picture': ({ part, state }) => `${part}: ${pictureStates[state]}`,
  'parts.others': () => 'read only in part',
  'parts.streams': ({ names }) => named(names),
  'links.gone': () => 'to pictures, addresses or other parts that are gone',
  'links.guessed': () => 'to one of several pictures or other parts, of which another may be meant',
  'texts.piece': () => 'texts of cells that lay in the damaged piece',
  'texts.beyond': () => 'texts of cells beyond the point where the table of texts breaks off',
  'texts.unread': () => 'texts of cells that could not be read',
  'sheets.places': () => 'numbers and the places of the cells',
  'sheets.gone': () => undefined,
  'cells.behind': () => 'places from which the cells could not be read on',
  'cells.beside': () => 'values beside wrong bits in cells: as many may be wrong where nothing shows it',
  'cells.wrong': () => 'cells that contradicted themselves',
  'characters.overwritten': () => 'text that was overwritten',
  'words.misread': () => 'left out, as wrong bits made something else of them',
  'characters.beyond': () => 'text beyond the point where the file breaks off',
  'characters.moved': () => 'text that was put back, of which some may stand in another place',
  'formatting.part': () => 'fonts and sizes in parts of the document',
  'formatting.plain': () => 'fonts, sizes and pictures of the document',
  'records.outline': () => 'the main part with the texts of the outline',
  'records.torn': () => 'parts of which the end is missing',
  'records.unread': () => 'places that could not be read',
  'bytes.zeroes': () => 'a stretch of zeroes',
  'bytes.missing': () => 'a piece that is missing',
  'bytes.beside': () => 'that were put in: a few of them may have been taken for what stands beside them',
  'masters.gone': () => undefined,
  'slides.gone': () => undefined,
  'notes.gone': () => undefined,
  'pictures.part': () => 'photos of which a part is missing',
  'pictures.left': () => 'photos that are as damaged as before',
  'descriptions.pages': () => 'of pages, in part: pictures on them may be missing',
  'fonts.gone': () => undefined,
  'fonts.mute': () => 'whose table of letters is lost, so that their text may not be found or copied',
  'text.told': ({ languages }) => `percent of the text, whose letters are told by the language, ${languages}`,
  'text.wrong': () => 'percent of the text, shown with wrong letters',
  'text.hidden': () => 'percent of the text, shown with wrong letters or not at all',
  'pages.named': () => 'named in the list of pages, but not in the file',
  'pages.empty': () => 'without their content',
  'pages.sized': () => 'whose size is a guess',
  'objects.gone': () => 'that others refer to, such as fonts and pictures',
  'objects.torn': () => 'in part, overwritten with zeroes: text may be shown with wrong letters',
  'streams.damaged': ({ textual }) =>
    textual > 0 ? `${textual} of them with the content of pages` : 'pictures, fonts or others',
  'checks.encrypted': () => 'of the packed content, which is encrypted: parts of it may be damaged',
  'structure.asItIs': () => 'the damage is still in the file',
};

/** A loss as the report counts it: its unit is the first word of ours. */
export function lossOf(loss: Loss): Measure {
  const [unit = ''] = loss.how.split('.');
  const detail = said(losses, loss.how, { ...loss, kind: loss.how } as Fact<LossFigures>);
  return { unit, count: loss.count, detail };
}

export function amountOf({ unit, count, texts }: Amount): Measure {
  return { unit, count, detail: texts === undefined ? undefined : `on the first ${counted(texts, 'page')}` };
}

export const rebuiltOf = ({ unit, count }: Rebuilt): Measure => ({ unit, count });

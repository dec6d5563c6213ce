import { counted } from '../../counted';
import type { Step, StepFigures } from '../../facts/document';
import type { RepairStep } from '../../types';
import { forEachWay, takenOut, takingOut } from '../carried';
import { pagesInWords, said, type Words, wasOrWere } from './said';

/** A step by the name that the report gives it, and what it did. */
type Said = readonly [name: string, detail: string];

/** What shows that pieces of a file changed places. */
const shownBy = {
  sums: 'check sums prove',
  tables: 'the tables of the file show',
  records: 'only so its records follow each other to the end',
} as const;

const steps: Words<StepFigures, Said> = {
  'textmode.utf8': ({ count }) => [
    'Undo text mode',
    `${count.toLocaleString('en-US')} bytes that storing it as text had added were taken out.`,
  ],
  'textmode.twice': ({ count }) => [
    'Take out what stood twice',
    `${counted(count, 'byte')} that stood in the file twice were taken out.`,
  ],
  ...forEachWay(
    'textmode.',
    (how) =>
      ({ count }: { count: number }): Said => [takingOut(how), takenOut(count)],
  ),
  'textmode.added': ({ count }) => ['Undo text mode', takenOut(count)],
  'textmode.lost': ({ count }) => [
    'Restore line ends',
    `The missing bytes were put back in ${count} streams, where the data shows their place.`,
  ],
  head: ({ count }) => [
    'Take off what came before',
    `${counted(count, 'byte')} before the beginning of the document were left out.`,
  ],
  tail: ({ count }) => [
    'Cut off what came after',
    `${counted(count, 'byte')} behind the end of the document were left out.`,
  ],
  returns: ({ count }) => [
    'Put line ends back',
    `In ${counted(count, 'part')} bytes that a transfer had taken were put back.`,
  ],
  foreign: ({ count }) => [
    'Take out foreign bytes',
    `In ${counted(count, 'part')} bytes that do not belong there were taken out.`,
  ],
  exchanged: ({ count, by }) => [
    'Put pieces back',
    `${counted(count, 'pair')} of pieces that had changed places ${wasOrWere(count)} put back, as ${shownBy[by]}.`,
  ],
  sums: ({ count }) => [
    'Correct by check sums',
    `In ${counted(count, 'part')} a wrong or lost byte was set right as the check sum tells it.`,
  ],
  bits: ({ count }) => [
    'Set bits right',
    `${counted(count, 'wrong bit')} in the packed text ${wasOrWere(count)} found by what the text must look like, and set right.`,
  ],
  aligned: ({ count }) => [
    'Line up the rest',
    `In ${counted(count, 'part')} a piece is gone; the text behind it was put back in its place.`,
  ],
  pictures: ({ count }) => [
    'Repair pictures',
    `${counted(count, 'damaged picture')} went through the repair of photos.`,
  ],
  photos: ({ count }) => ['Repair photos', `${counted(count, 'photo')} went through the repair of photos.`],
  collect: ({ count }) => ['Collect parts', `${counted(count, 'part')} of the document could be read.`],
  close: ({ count }) => [
    'Close the text',
    `${counted(count, 'part')} that broke off or were garbled were closed where they broke.`,
  ],
  roots: ({ count }) => ['Name the roots', `${counted(count, 'part')} got back the beginning that programs look for.`],
  elements: ({ count }) => [
    'Name the elements',
    `${counted(count, 'element')} got back the name that what it holds tells.`,
  ],
  fill: () => ['Fill gaps', 'Parts that are gone were replaced by empty ones, so that the rest opens.'],
  links: ({ count }) => ['Rebuild links', `The links between the parts were rebuilt in ${counted(count, 'place')}.`],
  list: ({ count }) => [
    'Set the list right',
    `${counted(count, 'entry', 'entries')} in the list of sheets or slides got a number, link or name of its own again.`,
  ],
  types: () => ['Rebuild types', 'The table that tells what each part is was rebuilt.'],
  texts: ({ count }) => [
    'Save texts',
    `No sheet survived; the ${counted(count, 'text')} of the cells were put into one column of a new sheet.`,
  ],
  'workbook.list': ({ count }) => [
    'Rebuild workbook',
    `The list of sheets was missing; a new one names ${counted(count, 'sheet')} by number.`,
  ],
  'workbook.records': ({ sheets, records }) => [
    'Rebuild workbook',
    `${counted(sheets, 'sheet')} were put together from ${counted(records, 'record')}.`,
  ],
  styles: () => ['Rebuild styles', 'The table of cell formats was missing; plain formats stand in for it.'],
  presentation: ({ missing }) => [
    'Rebuild presentation',
    `New plain parts stand in for what was missing: ${missing.join(', ')}.`,
  ],
  sectors: () => ['Line up the sectors', 'What had moved was put back where the tables of the file expect it.'],
  'container.streams': () => [
    'Rebuild container',
    'The streams of the document were found and put into a new container.',
  ],
  'container.content': ({ of }) => ['Rebuild container', `The content of the ${of} was put into a new container.`],
  'container.pages': ({ count }) => [
    'Put formatting back',
    `${counted(count, 'page')} of formatting lay in the place of text, and the text in theirs.`,
  ],
  'text.saved': ({ count }) => [
    'Save the text',
    `The text of ${counted(count, 'word')} was put into a new plain document.`,
  ],
  'text.searched': ({ count }) => [
    'Save the text',
    `Writing of ${counted(count, 'word')} was found by looking at every byte.`,
  ],
  places: ({ count }) => ['Rebuild list of places', `A new list tells where the ${counted(count, 'slide')} lie.`],
  outline: ({ count }) => [
    'Save the outline',
    `${counted(count, 'lost slide')} came back with the texts of the outline alone.`,
  ],
  names: ({ count }) => ['Set names right', `${counted(count, 'name')} that the format knows had a wrong letter.`],
  filters: ({ count }) => [
    'Name packing',
    `${counted(count, 'stream')} did not say how it is packed any more. Its data tells it, and its check sum is right.`,
  ],
  lettertables: ({ count }) => [
    'Lead fonts to their letters',
    `${counted(count, 'font')} named something else. As many tables of letters were left that no font named.`,
  ],
  'cells.places': ({ count }) => [
    'Set places of cells right',
    `The place of ${counted(count, 'cell')} or rows was set right, as those around tell.`,
  ],
  fontcodes: ({ count }) => [
    'Complete fonts',
    `${counted(count, 'font')} did not say any more which letter their list of widths begins or ends with. The number of widths tells it.`,
  ],
  streams: ({ count }) => [
    'Find streams',
    `${counted(count, 'stream')} without a head were given back to the document.`,
  ],
  join: ({ count }) => [
    'Join pages',
    `${counted(count, 'page')} got back the content that lies nearest to the description.`,
  ],
  sizes: ({ count }) => [
    'Size pages',
    `${counted(count, 'page')} got a size again, that of the other pages where these tell it.`,
  ],
  objects: ({ count }) => [
    'Find objects',
    `${counted(count, 'object')} of the document were found by looking at every byte.`,
  ],
  tree: ({ count }) => ['Rebuild page tree', `The list of pages was rebuilt from the ${counted(count, 'page')} found.`],
  table: () => ['Write table', 'The table that tells a reader where each object starts was written anew.'],
  'table.encrypted': ({ count }) => [
    'Rebuild table',
    `The table of objects was rebuilt from the ${counted(count, 'object')} found.`,
  ],
  readOn: ({ count }) => [
    'Read on',
    `${counted(count, 'damaged stream')} were read on after the damage and written anew.`,
  ],
  'check.office': ({ words, pictures }) => [
    'Check the result',
    `The repaired file was opened again: ${counted(words, 'word')} and ${counted(pictures, 'picture')} can be read.`,
  ],
  'check.words': ({ words }) => [
    'Check the result',
    `The repaired file was opened again: ${counted(words, 'word')} can be read.`,
  ],
  'check.pages': (shown) => [
    'Check the result',
    `The repaired file was opened by two readers: ${pagesInWords(shown, 'and')}.`,
  ],
};

/** A step as the report names it. */
export function stepOf(step: Step): RepairStep {
  const [name, detail] = said(steps, step.kind, step);
  return { name, detail };
}

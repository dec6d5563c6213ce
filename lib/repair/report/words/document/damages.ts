import { counted } from '../../counted';
import type { Damage, DamageFigures } from '../../facts/document';
import type { Finding } from '../../types';
import { carriedInWords, forEachWay, twiceInWords } from '../carried';
import { isOrAre, said, type Words, wasOrWere } from './said';

const damages: Words<DamageFigures, string> = {
  'textmode.utf8': () =>
    'Every byte beyond plain letters was written as two, as happens when a file is stored as text.',
  'textmode.added': () =>
    'Every line end was changed, as happens when a file is sent in text mode; this breaks packed content.',
  'textmode.lost': () => 'Line ends inside compressed data lost a byte, as happens when a file is sent in text mode.',
  ...forEachWay('textmode.', (how) => () => carriedInWords(how)),
  'textmode.twice': () => twiceInWords,
  'head.before': ({ count, of }) =>
    `Before the beginning of the ${of} there were ${count} bytes that do not belong to it.`,
  'head.missing': () => 'The opening line that says the file is a PDF was missing.',
  'head.version': () => 'The opening line does not say which version of PDF the file is written in.',
  tail: ({ count }) => `Behind the end of the document there are ${count} bytes that do not belong to it.`,
  shifted: ({ count }) =>
    `All places noted in the file are off by ${count} bytes, as if something had been added or cut before them.`,
  'directory.entries': ({ declared, readable }) =>
    `The list of parts at the end of the file names ${declared} parts, of which ${readable} can be read.`,
  'directory.closing': ({ count }) =>
    `The closing record of the file is missing or broken; ${count} entries of the list of parts were found without it.`,
  'directory.missing': () => 'The list of parts at the end of the file is missing.',
  'directory.renamed': ({ part }) => `The list of parts gives the part ${part} another name.`,
  'directory.double': ({ part }) => `The list of parts has the part ${part} twice, with other content.`,
  'directory.misplaced': () => 'The directory of the file, which names its parts, was not where it should be.',
  'directory.damaged': () => 'The directory of the file, which names its parts, was damaged.',
  offset: ({ part }) => `The place noted for ${part} is wrong.`,
  'header.part': ({ part }) => `The header before the part ${part} is damaged.`,
  'header.signature': () => 'The signature at the beginning of the file was missing.',
  'header.tables': () => 'The header that tells where the tables of the file lie was damaged.',
  'part.beyond': ({ part }) => `The part ${part} lies beyond the end of the file.`,
  method: ({ part }) => `The part ${part} is packed by a method that office documents do not use.`,
  content: ({ part }) => `The content of the part ${part} is damaged or cut short.`,
  'checksum.noted': ({ part }) =>
    `A check sum or size noted for the part ${part} is wrong; the content itself is intact.`,
  'checksum.content': ({ part }) => `The content of the part ${part} does not match its check sum.`,
  gap: ({ count }) => `${counted(count, 'byte')} of the file are missing, so that everything behind them moved.`,
  added: ({ count }) => `${counted(count, 'byte')} stand in the file that do not belong to it.`,
  exchanged: ({ count }) => `Two pieces of ${counted(count, 'byte')} stand in each other’s place.`,
  'stream.chain': ({ name }) =>
    `The part “${name}” is cut short, or the pieces it lies in are no longer known for certain.`,
  'table.sectors': () => 'A table that tells which pieces of the file belong together was missing or overwritten.',
  'table.fewer': () => 'The header names fewer tables than the file needs, or they lie beyond its end.',

  name: ({ count }) =>
    `${counted(count, 'name')} of parts ${wasOrWere(count)} damaged; the rest of the document calls them otherwise.`,
  xml: ({ part, fault }) => `The text of the part ${part} breaks off or is garbled (${fault}).`,
  'xml.namespaces': ({ part, count }) =>
    `${counted(count, 'name')} of vocabularies in the part ${part} ${isOrAre(count)} misspelt, so that no program knows what it says.`,
  'xml.encoding': ({ part, encoding }) =>
    `The part ${part} says that its text is in the encoding ${encoding}, in which it is not; most programs refuse it.`,
  'xml.root': ({ part }) => `The text of the part ${part} does not begin as programs expect.`,
  'types.kind': () => 'What tells programs of which kind the document is says something else.',
  'types.missing': () => 'The table that tells what each part of the document is was missing.',
  'types.unnamed': () => 'The table that tells what each part of the document is does not name the main part.',
  'types.wrong': ({ count }) =>
    `The table that tells what each part of the document is calls ${counted(count, 'part')} something else.`,
  'xml.names': ({ part, count }) =>
    `${counted(count, 'element')} of the part ${part} ${isOrAre(count)} called something that no program knows.`,
  'name.capitals': ({ count }) =>
    `${counted(count, 'part')} ${wasOrWere(count)} named in other capitals than the rest of the document calls ${count === 1 ? 'it' : 'them'}; some programs do not find ${count === 1 ? 'it' : 'them'} so.`,
  'relations.main': () => 'The list that leads a program to the document inside the file leads elsewhere.',
  'relations.garbled': ({ count }) =>
    `${counted(count, 'link')} between parts ${isOrAre(count)} incomplete, or there twice.`,
  'relations.types': ({ count }) =>
    `${counted(count, 'link')} between parts ${isOrAre(count)} of a kind that no program looks for.`,
  'relations.missing': () => 'The list that leads a program to the document inside the file was missing.',
  'relations.dangling': ({ count }) =>
    `The document refers to ${count} parts, such as pictures or sheets, that the file no longer names.`,
  'relations.outside': ({ count }) =>
    `${counted(count, 'link')} to parts of the document ${count === 1 ? 'says' : 'say'} that ${count === 1 ? 'it leads' : 'they lead'} out of the file.`,
  'relations.unled': ({ count }) =>
    `${counted(count, 'part')} with texts or styles of the document ${isOrAre(count)} in the file, but nothing leads to ${count === 1 ? 'it' : 'them'}.`,
  'relations.above': ({ count }) =>
    `${counted(count, 'slide or layout', 'slides or layouts')} ${count === 1 ? 'does' : 'do'} not say which layout or master ${count === 1 ? 'it is' : 'they are'} made from.`,
  'relations.doubled': ({ count }) =>
    `${counted(count, 'entry', 'entries')} in the list of sheets or slides ${count === 1 ? 'says' : 'say'} the same as another one.`,
  'relations.notes': ({ count }) =>
    `${counted(count, 'mark')} in the text ${isOrAre(count)} of comments or notes that are not in the file.`,
  main: () => 'The main part of the document was missing.',
  'part.strings': () => 'The table with the texts of the cells, which the sheets refer to, was missing.',
  'part.missing': ({ part }) => `The part ${part}, which the document leads to, was missing.`,
  picture: ({ count }) => `The data of ${counted(count, 'photo')} in the document ${isOrAre(count)} damaged.`,
  'content.unnamed': () => 'The part that holds the content was not found under its name.',
  'header.document': () => 'The beginning of the document, which tells where its text lies, is damaged.',
  'text.beyond': () => 'A part of the text lies beyond the end of the file.',
  'text.overwritten': () => 'A part of the text was overwritten with bytes that are no text.',
  pieces: () => 'The list that tells where the text lies was missing or damaged.',
  'records.gaps': ({ count, of }) => `The content of the ${of} is damaged in ${counted(count, 'place')}.`,
  'records.cut': ({ of }) => `The content of the ${of} breaks off before its end.`,
  'records.beginning': () => 'The beginning of the content of the workbook is missing.',
  'records.document': () => 'The main part of the presentation was missing.',
  sheets: () => 'A sheet is not where the list of sheets says.',
  texts: () => 'The table with the texts of the cells is damaged.',
  cells: ({ count }) => `${counted(count, 'record')} of cells contradict themselves.`,
  'cells.texts': ({ count }) =>
    `${counted(count, 'cell')} ${count === 1 ? 'names a text' : 'name texts'} that the table of texts does not have.`,
  'cells.places': ({ count }) => `${counted(count, 'record')} of cells stand between others of other rows or columns.`,
  'cells.formats': ({ count }) => `${counted(count, 'record')} of cells name formats that are not there.`,
  'places.missing': () => 'The list that tells where each slide lies was missing or broken.',
  'places.wrong': ({ count }) =>
    `The places noted for ${counted(count, 'slide or part', 'slides or parts')} are wrong.`,

  end: () => 'The end of the file, which tells where the table of objects lies, was missing.',
  'table.missing': () =>
    'The table that tells a reader where each object starts was missing or is not where it should be.',
  'table.place': ({ object }) => `The place noted for object ${object} and perhaps others is wrong.`,
  'table.size': ({ declared, highest }) =>
    `The end of the file counts ${declared} objects, while the highest number of one is ${highest}.`,
  'table.uncounted': () => 'The end of the file does not say how many objects there are.',
  'table.short': () => 'The table of objects has more or fewer entries than it says.',
  reference: ({ object }) => `What leads to object ${object} asks for another version of it than the file has.`,
  identifiers: () => 'The identifier of the file is garbled.',
  trailer: () => 'The entry that leads to the contents of the document was missing.',
  cut: () => 'An object breaks off before its end.',
  'object.syntax': () => 'Something stands in an object that is no value, or the name of a value is missing.',
  'object.end': () => 'The mark that ends an object was missing.',
  'object.heads': ({ count }) => `${counted(count, 'stream')} lost the head of the object that holds it.`,
  'object.names': () => 'A picture, a font or a page, or something that belongs to it, is named with a wrong letter.',
  'stream.begin': () => 'The mark that begins the data of an object was damaged.',
  'stream.end': () => 'The mark that ends the data of an object was missing.',
  'stream.content': () => 'What a page draws is written with damaged commands.',
  'stream.packed': () => 'The compressed data of an object is damaged.',
  'stream.bundles': ({ count }) => `${counted(count, 'bundle')} of objects could be read only in part.`,
  'stream.filter': () => 'The way in which the data of an object is packed has a name that no reader knows.',
  'stream.unnamed': () => 'An object does not say that its data is packed, and how.',
  'stream.misnamed': () => 'An object names another way of packing than its data is packed in.',
  length: () => 'The length noted for the data of an object is wrong.',
  'pages.missing': () => 'The list of pages was missing.',
  'pages.tree': () => 'The list of pages was broken: it does not lead to every page.',
  'pages.count': ({ declared, pages }) =>
    declared === null
      ? 'The list of pages does not say how many there are.'
      : `The list of pages counts ${declared}, and leads to ${pages}.`,
  'pages.contents': ({ count }) =>
    `${counted(count, 'page')} ${count === 1 ? 'leads' : 'lead'} to something that is no content.`,
  'pages.fonts': ({ count }) =>
    `${counted(count, 'page')} ${count === 1 ? 'leads' : 'lead'} to something in the stead of fonts that is none.`,
  'fonts.codes': ({ count }) =>
    `${counted(count, 'font')} ${count === 1 ? 'leads' : 'lead'} to something else in the stead of the table that tells the letters.`,
  'pages.fast': () => 'The entry for showing the first page sooner contradicts the list of pages.',
  encryption: () => 'The entry that tells how the document is encrypted is damaged.',
  'pages.joined': ({ count }) => `${counted(count, 'page')} lost the entry that leads to the content, which survived.`,
  'pages.sizes': ({ count }) =>
    `${counted(count, 'page')} ${count === 1 ? 'says' : 'say'} no size, or one that no page has.`,
  'pages.doubled': ({ count }) =>
    `${counted(count, 'page')} ${count === 1 ? 'shows' : 'show'} the content of another one, while the own is shown by none.`,
  'pages.described': ({ count }) =>
    `${counted(count, 'page')} lost the object that describes it; the content itself survived.`,
  'pages.gone': ({ count }) => `The content of ${counted(count, 'page')} is gone.`,
  reader: () => 'The structure looks sound, but a PDF reader cannot open the file.',
};

/** A kind of damage as the report names it: the first word of ours. */
export function findingOf(damage: Damage): Finding {
  const [kind = ''] = damage.kind.split('.');
  return { kind, detail: said(damages, damage.kind, damage), offset: damage.offset ?? null };
}

import type { Encoding } from '../../core/transfer/carried';
import type { Handed } from './index';

/*
 * What is told of documents. A kind is what the report calls it and, behind a dot, how it shows; the figures that belong to each stand
 * beside it.
 */

/** One fact of a table of kinds and figures. */
export type Fact<Figures> = { [K in keyof Figures]: { kind: K } & Figures[K] }[keyof Figures];

type None = Record<never, never>;

/** How many bytes, places, parts and the like. */
type Count = { count: number };
/** The name of a part of a document. */
type Part = { part: string };

/** What can be wrong with the container of a document: a ZIP archive, a compound file, or the objects of a PDF. */
type ContainerDamages = { [K in Encoding as `textmode.${K}`]: None } & {
  'textmode.utf8': None;
  'textmode.added': None;
  'textmode.lost': None;
  'textmode.twice': None;
  'head.before': Count & { of: 'document' | 'PDF' };
  'head.missing': None;
  'head.version': None;
  tail: Count;
  shifted: Count;
  'directory.entries': { declared: number; readable: number };
  'directory.closing': Count;
  'directory.missing': None;
  'directory.renamed': Part;
  'directory.double': Part;
  'directory.misplaced': None;
  'directory.damaged': None;
  offset: Part;
  'header.part': Part;
  'header.signature': None;
  'header.tables': None;
  'part.beyond': Part;
  method: Part;
  content: Part;
  'checksum.noted': Part;
  'checksum.content': Part;
  gap: Count;
  added: Count;
  exchanged: Count;
  'stream.chain': { name: string };
  'table.sectors': None;
  'table.fewer': None;
};

/** What can be wrong inside the parts of an office document. */
type OfficeDamages = {
  name: Count;
  'name.capitals': Count;
  xml: Part & { fault: string };
  'xml.names': Part & Count;
  'xml.namespaces': Part & Count;
  'xml.encoding': Part & { encoding: string };
  'types.kind': None;
  'types.missing': None;
  'xml.root': Part;
  'types.unnamed': None;
  'types.wrong': Count;
  'relations.main': None;
  'relations.garbled': Count;
  'relations.types': Count;
  'relations.missing': None;
  'relations.dangling': Count;
  'relations.outside': Count;
  'relations.unled': Count;
  'relations.doubled': Count;
  'relations.above': Count;
  'relations.notes': Count;
  main: None;
  'part.strings': None;
  'part.missing': Part;
  picture: Count;
  'content.unnamed': None;
  'header.document': None;
  'text.beyond': None;
  'text.overwritten': None;
  pieces: None;
  'records.gaps': Count & { of: 'workbook' | 'presentation' };
  'records.cut': { of: 'workbook' | 'presentation' };
  'records.beginning': None;
  'records.document': None;
  sheets: None;
  texts: None;
  'cells.texts': Count;
  cells: Count;
  'cells.formats': Count;
  'cells.places': Count;
  'places.missing': None;
  'places.wrong': Count;
};

/** What can be wrong with the objects and pages of a PDF. */
type PdfDamages = {
  end: None;
  'table.missing': None;
  'table.place': { object: number };
  'table.size': { declared: number; highest: number };
  'table.uncounted': None;
  'table.short': None;
  reference: { object: number };
  identifiers: None;
  trailer: None;
  cut: None;
  'object.syntax': None;
  'object.end': None;
  'object.heads': Count;
  'object.names': None;
  'stream.begin': None;
  'stream.end': None;
  'stream.packed': None;
  'stream.content': None;
  'stream.bundles': Count;
  'stream.filter': None;
  'stream.unnamed': None;
  'stream.misnamed': None;
  length: None;
  'pages.missing': None;
  'pages.tree': None;
  'pages.count': { declared: number | null; pages: number };
  'pages.contents': Count;
  'pages.fonts': Count;
  'fonts.codes': Count;
  'pages.fast': None;
  encryption: None;
  'pages.joined': Count;
  'pages.sizes': Count;
  'pages.doubled': Count;
  'pages.described': Count;
  'pages.gone': Count;
  reader: None;
};

/** What can be wrong with a document. */
export type DamageFigures = ContainerDamages & OfficeDamages & PdfDamages;
export type Damage = Fact<DamageFigures> & { offset?: number };

/** What a document holds, as readers see it: pages with the pages whose text was read, or words and pictures. */
export type Shown = { pages: number; words: number; texts: number };

/** What a repair of a document did. */
export type StepFigures = { [K in Encoding as `textmode.${K}`]: Count } & {
  'textmode.utf8': Count;
  'textmode.added': Count;
  'textmode.lost': Count;
  'textmode.twice': Count;
  head: Count;
  tail: Count;
  returns: Count;
  foreign: Count;
  exchanged: Count & { by: 'sums' | 'tables' | 'records' };
  sums: Count;
  bits: Count;
  aligned: Count;
  pictures: Count;
  photos: Count;
  collect: Count;
  close: Count;
  roots: Count;
  elements: Count;
  fill: None;
  links: Count;
  list: Count;
  types: None;
  texts: Count;
  'workbook.list': Count;
  'workbook.records': { sheets: number; records: number };
  styles: None;
  presentation: { missing: readonly ('theme' | 'slide master' | 'slide layout' | 'list of slides')[] };
  sectors: None;
  'container.streams': None;
  'container.content': { of: 'workbook' | 'presentation' };
  'container.pages': Count;
  'text.saved': Count;
  'text.searched': Count;
  places: Count;
  outline: Count;
  names: Count;
  filters: Count;
  fontcodes: Count;
  'cells.places': Count;
  lettertables: Count;
  streams: Count;
  join: Count;
  sizes: Count;
  objects: Count;
  tree: Count;
  table: None;
  'table.encrypted': Count;
  readOn: Count;
  'check.office': { words: number; pictures: number };
  'check.words': { words: number };
  'check.pages': Shown;
};
export type Step = Fact<StepFigures>;

/** What a person should know of a repaired document besides. */
export type RemarkFigures = {
  'support.faults': { faults: readonly (Part & { fault: string })[] };
  'support.damages': { damages: readonly Damage[] };
  unseen: Count;
  sheetsGone: None;
  formatGuess: Count;
  sheetNames: None;
  writing: None;
  presentation: None;
  password: { of: string };
  passwordPdf: None;
  opensEncrypted: None;
  opensChecked: None;
  older: None;
  identifier: None;
  pageGuess: None;
  fontGuess: None;
  lettersTold: { languages: string };
  lettersLost: None;
  lettersPart: { percent: number };
  textHidden: None;
  streamsLeft: Count;
  asItIs: None;
  capitals: Count;
  noSums: None;
  fewSums: None;
};
export type Remark = Fact<RemarkFigures>;

/** What a document holds that can be handed out; `texts` where the words of only so many pages were counted. */
export type Amount = {
  unit: 'pages' | 'words' | 'sheets' | 'cells' | 'slides' | 'pictures';
  count: number;
  texts?: number | undefined;
};

/** What was set right in place. */
export type Rebuilt = { unit: 'objects'; count: number };

/** What could not be brought back, by how it was lost; the unit that the report counts it in stands with its words. */
export type LossFigures = {
  'parts.gone': { names: readonly string[] };
  'parts.ended': Part;
  'parts.garbled': Part;
  'parts.share': Part & { percent: number };
  'parts.differing': Part & { of: 'some characters' | 'some of it' };
  'parts.picture': Part & { state: 'repaired' | 'partly' };
  'parts.others': None;
  'parts.streams': { names: readonly string[] };
  'links.gone': None;
  'links.guessed': None;
  'texts.piece': None;
  'texts.beyond': None;
  'texts.unread': None;
  'sheets.places': None;
  'sheets.gone': None;
  'cells.behind': None;
  'cells.wrong': None;
  'cells.beside': None;
  'characters.overwritten': None;
  'words.misread': None;
  'characters.beyond': None;
  'characters.moved': None;
  'formatting.plain': None;
  'formatting.part': None;
  'records.outline': None;
  'records.torn': None;
  'records.unread': None;
  'bytes.zeroes': None;
  'bytes.missing': None;
  'bytes.beside': None;
  'masters.gone': None;
  'slides.gone': None;
  'notes.gone': None;
  'pictures.part': None;
  'pictures.left': None;
  'descriptions.pages': None;
  'fonts.gone': None;
  'fonts.mute': None;
  'text.told': { languages: string };
  'text.wrong': None;
  'text.hidden': None;
  'pages.named': None;
  'pages.empty': None;
  'pages.sized': None;
  'objects.gone': None;
  'objects.torn': None;
  'streams.damaged': { textual: number };
  'checks.encrypted': None;
  'structure.asItIs': None;
};
export type Loss = {
  [K in keyof LossFigures]: { how: K; count: number } & LossFigures[K];
}[keyof LossFigures];

/** Why nothing is handed out. */
export type Hopeless =
  | 'mainGone'
  | 'littleRead'
  | 'notOpened'
  | 'notReadable'
  | 'nothing'
  | 'bare'
  | 'noText'
  | 'passwordDamaged'
  | 'older'
  | 'encrypted'
  | 'noPage'
  | 'noPageShown'
  | 'passwordUnchecked';

/** How a repair ended beside the ways of every family. */
export type DocumentEnd =
  | { verdict: 'healthy'; how: 'pages'; pages: number }
  | { verdict: 'healthy'; how: 'password' | 'older' }
  | { verdict: Handed; how: 'passwordCleaned' }
  | { verdict: Handed; how: 'words'; words: number }
  | ({ verdict: Handed; how: 'shown' } & Shown)
  | ({ verdict: 'partly'; how: 'asItIs' } & Shown);

/** What is told of documents. */
export interface DocumentFacts {
  damage: Damage;
  step: Step;
  remark: Remark;
  amount: Amount;
  rebuilt: Rebuilt;
  loss: Loss;
  why: Hopeless;
  end: DocumentEnd;
}

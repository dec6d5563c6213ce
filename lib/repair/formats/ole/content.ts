import { countWords } from '../../core/words';
import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Amount } from '../../report/facts/document';
import { type OleFile, topStream } from './container';
import { checkDocument, documentText } from './doc';
import { checkPresentation, countPictures, measurePresentation } from './ppt';
import { checkWorkbook, measureWorkbook } from './xls';

/** The stream that holds what a document is for, by the names that each format gives it. */
const mainNames: Readonly<Record<string, readonly string[]>> = {
  doc: ['WordDocument'],
  xls: ['Workbook', 'Book'],
  ppt: ['PowerPoint Document'],
};

/** The stream at the top of the file that holds what it is for; null when none is named so. */
export function mainStream(file: OleFile, format: string): Buffer | null {
  for (const name of mainNames[format] ?? []) {
    const stream = topStream(file, name);
    if (stream) return stream.data;
  }
  return null;
}

/** The table stream of a Word document, which its header names ([MS-DOC] 2.5.2, fWhichTblStm). */
export function tableOf(file: OleFile): Buffer | null {
  const document = topStream(file, 'WordDocument')?.data;
  const second = document && document.length > 11 && (document.readUInt16LE(10) & 0x200) !== 0;
  return topStream(file, second ? '1Table' : '0Table')?.data ?? null;
}

/** Streams that are told one by one. */
const mostStreams = 8;

/** Tells what is wrong with the container: its directory, and streams that are not whole. */
export function checkContainer(file: OleFile, told: DocumentTold): void {
  const broken = file.streams.filter((stream) => !stream.sound && stream.size > 0);
  if (!file.directory.sound) find(told, { kind: 'directory.damaged' });
  for (const { path } of broken.slice(0, mostStreams))
    find(told, { kind: 'stream.chain', name: path.join('/').replace(/\p{Cc}/gu, '') });
}

/** Tells what is wrong with the content. */
export function checkContent(job: EngineJob, file: OleFile, told: DocumentTold): void {
  const main = mainStream(file, job.format);
  if (!main) find(told, { kind: 'content.unnamed' });
  else if (job.format === 'doc') checkDocument(main, tableOf(file), told);
  else if (job.format === 'xls') checkWorkbook(main, told);
  else checkPresentation(main, topStream(file, 'Current User')?.data ?? null, job.limits.nesting, told);
}

/** Counts the content of a readable file in the units of its format. */
export function amountsOf({ format, limits }: EngineJob, file: OleFile): Amount[] {
  const main = mainStream(file, format) ?? Buffer.alloc(0);
  if (format === 'doc') return [{ unit: 'words', count: countWords(documentText(main, tableOf(file)) ?? '') }];
  if (format === 'xls') {
    const { sheets, cells, words } = measureWorkbook(main);
    return [
      { unit: 'sheets', count: sheets },
      { unit: 'cells', count: cells },
      { unit: 'words', count: words },
    ];
  }
  const { slides, words } = measurePresentation(main, limits.nesting);
  const pictures = countPictures(topStream(file, 'Pictures')?.data ?? Buffer.alloc(0));
  const amounts: Amount[] = [
    { unit: 'slides', count: slides },
    { unit: 'words', count: words },
  ];
  return pictures > 0 ? [...amounts, { unit: 'pictures', count: pictures }] : amounts;
}

import { brands } from '../../catalog/brands';
import { playbackErrors, support } from '../../catalog/facts';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import { assistanceRows } from '../common';
import type { PageContent } from '../page';
import { deletedWithin, desktopLimit, extensionsList, fromPrice, limit } from '../phrases';
import type { CodesSection, CompareSection, LinkText, Question, Section } from '../sections';

/** What stands below the drop zone of the three online tools. The drop zone itself is the interactive screen. */

type Kind = keyof typeof onlineTools;

const desktop = { video: '/video-fixer', photo: '/photo-restoration', file: '/file-fixer' } as const;
const [unreadable, notInBrowser, notLoaded] = playbackErrors;

/** Playback errors (lib/contract/README.md, 8): examples of what a player says about a damaged video. */
export const playbackCodes: CodesSection = {
  kind: 'codes',
  title: 'Errors we see most',
  lead: 'A player shows a code, the recording stops halfway, or the picture is there without sound. These are common with cards pulled out early and transfers that broke off.',
  codes: [
    { code: unreadable, meaning: 'The player knows the file type but can’t read the file' },
    { code: notInBrowser, meaning: 'The video can’t be played in the browser' },
    { code: notLoaded, meaning: 'The video failed to load' },
  ],
};

export const photoSigns: CodesSection = {
  kind: 'codes',
  title: 'What damage looks like',
  lead: 'A photo is stored as a stream: one broken place can spoil everything after it, although most of the data is still there.',
  codes: [
    { code: 'A grey lower part', meaning: 'The file was cut off, or its data ends early' },
    { code: 'Shifted bands, wrong colours', meaning: 'A few damaged bytes moved everything after them' },
    { code: '“Can’t open this file”', meaning: 'The header that names size and format is gone' },
  ],
};

export const documentSigns: CodesSection = {
  kind: 'codes',
  title: 'What can be put right',
  lead: 'Documents are containers with a list of contents. Often only the list is broken and the contents are whole.',
  codes: [
    { code: 'PDF', meaning: 'The table of objects is missing or wrong, or the end of the file is cut off' },
    { code: 'DOCX, PPTX, XLSX', meaning: 'The archive’s directory is missing, or the download broke off' },
    { code: 'DOC, PPT, XLS', meaning: 'The older Office container lost its place in the file' },
  ],
};

const signs: Record<Kind, CodesSection> = { video: playbackCodes, photo: photoSigns, file: documentSigns };

const otherKinds: Record<Kind, Question> = {
  video: {
    question: 'Will picture and sound be in step again?',
    answer:
      'If the timing of both tracks can still be read, yes. Where parts of the recording are missing, the report under the result says which. [More on interrupted recordings](/how-to/interrupted-recording).',
  },
  photo: {
    question: 'Can a missing part of the picture come back?',
    answer:
      'Only what is in the file can. Parts that were overwritten or cut off stay missing, and the report under the result says so. We don’t invent pixels here. [Why photos turn grey](/how-to/half-grey-photo).',
  },
  file: {
    question: 'Will my layout and formulas survive?',
    answer:
      'What the file still holds is kept as it is. Where a part is lost, the report under the result names it, so you can check that page or sheet first. [What to try before a repair](/how-to/open-a-corrupt-document).',
  },
};

/** The part of the page of measured results that is about a kind. */
const resultsOf: Record<Kind, string> = { video: 'videos', photo: 'photos', file: 'documents' };

/** The comparison table of one kind of repair; `more` leads to the other side. */
export function comparison(kind: Kind, more?: LinkText): CompareSection {
  const { noun, limitText } = onlineTools[kind];
  return {
    kind: 'compare',
    title: 'Online or on your computer?',
    caption: `Online ${noun} repair compared with the desktop version`,
    columns: ['Type', 'Online', 'Desktop'],
    rows: [
      { name: 'File size', values: [`Under ${limitText}`, desktopLimit] },
      { name: 'Formats', values: [extensionsList(kind), 'The same, in one window'] },
      ...assistanceRows,
      { name: 'Price', values: ['Free', `Free to try, plans from ${fromPrice}`] },
    ],
    more: more ?? { label: `${brands.mendara.name} Repair for desktop`, href: desktop[kind] },
  };
}

function questions(kind: Kind): readonly Question[] {
  const { noun, limitText } = onlineTools[kind];
  return [
    {
      question: 'What happens to my file?',
      answer: `It is sent over ${support.encryption}, repaired on our server and deleted ${deletedWithin}, together with the result. You can delete both yourself as soon as you are done.`,
    },
    {
      question: 'What can I upload?',
      answer: `One ${noun} at a time, ${limit(kind)}: ${extensionsList(kind, 'or')}. A file of exactly ${limitText} is too large.`,
    },
    {
      question: `What if my ${noun} can’t be repaired?`,
      answer: `Then the page says so and nothing is charged, since the tool is free. The [desktop version](${desktop[kind]}) takes files up to ${desktopLimitText}, shows a preview and comes with technical assistance.`,
    },
    {
      question: 'How much comes back?',
      answer: `That depends on the damage. [What we measured](/repair-results#${resultsOf[kind]}), by file type and damage, stands beside what other free tools bring back, with what fails.`,
    },
    otherKinds[kind],
    {
      question: 'Is my original changed?',
      answer: `No. The repair works on a copy. If there is nothing wrong with your ${noun}, you get it back byte for byte and the page tells you so.`,
    },
  ];
}

/** Sections of an online tool's page below its drop zone. */
export function toolSections(kind: Kind): readonly Section[] {
  return [
    { ...signs[kind], tone: 'mist' },
    comparison(kind),
    {
      kind: 'faq',
      tight: true,
      title: 'Before you upload',
      questions: questions(kind),
      more: { label: 'All online tools', href: '/tools' },
    },
  ];
}

/** What search engines see of an online tool's page, and its heading above the drop zone. */
export type ToolPageContent = Pick<PageContent, 'path' | 'seo'> & { title: string; lead: string };

export const toolPages: Record<Kind, ToolPageContent> = {
  video: {
    path: '/video-repair-online',
    seo: {
      title: 'Repair a video online, free',
      description: `Upload a video that won’t play and download the repaired file. Free, ${limit('video')}, deleted ${deletedWithin}.`,
    },
    title: 'Repair a video that won’t play.',
    lead: 'Upload it, wait, download the repaired file. Free, nothing to install.',
  },
  photo: {
    path: '/photo-restoration-online',
    seo: {
      title: 'Repair a photo online, free',
      description: `Upload a photo with grey areas or shifted bands and download the repaired picture. Free, ${limit('photo')}, deleted ${deletedWithin}.`,
    },
    title: 'Repair a photo that came back broken.',
    lead: 'Upload it, wait, download the repaired picture. Free, nothing to install.',
  },
  file: {
    path: '/corrupted-file-recovery-online',
    seo: {
      title: 'Repair a PDF or Office file online, free',
      description: `Upload a PDF, Word, Excel or PowerPoint file that won’t open and download the repaired one. Free, ${limit('file')}, deleted ${deletedWithin}.`,
    },
    title: 'Repair a document that won’t open.',
    lead: 'Upload it, wait, download the repaired file. Free, nothing to install.',
  },
};

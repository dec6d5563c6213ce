import { brands, productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import { bothGuarantees, extensionsList } from '../phrases';
import type { Action, CtaSection, GallerySection, Question, Specification } from '../sections';

/** What the three desktop repair pages and the toolkit say alike. Repair belongs to Data Recovery (lib/contract/README.md, 6). */

type Kind = keyof typeof onlineTools;

export const { store } = productLines.recovery;
export const repairName = `${brands.mendara.name} Repair`;

/** The try button leads to the matching online tool, with a trailing slash (lib/contract/README.md, 24). */
export function tryOnline(kind: Kind): Action {
  return { act: 'link', label: 'Try free online', href: `${onlineTools[kind].route}/` };
}

export const buyNow: Action = { act: 'link', label: 'Buy now', href: store };

/** Systems and the desktop limit, under a banner's buttons. */
export const repairNote = `Or on your computer: [${requirements.windows}](/win-data-recovery) and [${requirements.mac}](/data-recovery-mac), files up to ${desktopLimitText}`;

export function repairSpecifications(kind: Kind): readonly Specification[] {
  return [
    { name: 'Windows', value: requirements.windows },
    { name: 'Mac', value: requirements.mac },
    { name: 'Formats', value: extensionsList(kind) },
    {
      name: 'File size',
      value: `Up to ${desktopLimitText} on the computer, under ${onlineTools[kind].limitText} online`,
    },
    { name: 'Licence', value: 'One PC or one Mac, for personal, non-commercial use' },
  ];
}

export const repairQuestions: readonly Question[] = [
  {
    question: 'Which plan do I need?',
    answer: `Repair is part of ${productLines.recovery.name}. Every plan of it repairs; [see the plans](${store}).`,
  },
  { question: 'What is the refund period?', answer: bothGuarantees },
];

/** The download call to action: try free is the download of Data Recovery. */
export function repairCta(title: string, lead: string): CtaSection {
  return {
    kind: 'cta',
    id: 'download',
    tight: true,
    title,
    lead,
    actions: [{ act: 'download', label: 'Try free', website: 'recovery' }, buyNow],
  };
}

/** Screens of the toolkit that more than one page shows. */
export const screens = {
  start: {
    picture: {
      drawing: 'toolkit',
      label:
        'The start screen of Mendara Repair: video, photo and file beside each other, and a queue of twelve files.',
    },
    caption: 'Start: drop in files of any kind, all at once.',
  },
  video: {
    picture: {
      drawing: 'video-window',
      label: 'Six videos in Mendara Repair; one that showed error 0xc00d36c4 plays again in the preview.',
    },
    caption: 'Video: before and after, and a list of what was done.',
  },
  photo: {
    picture: {
      drawing: 'photo-window',
      label: 'A beach photo in Mendara Repair: shifted bands and a grey part before, the whole picture in the preview.',
    },
    caption: 'Photo: both versions side by side, the whole card below.',
  },
  file: {
    picture: {
      drawing: 'file-window',
      label: 'Five documents in Mendara Repair; a Word report is shown beside a list of what was kept.',
    },
    caption: 'File: the page, and the report beside it.',
  },
} as const satisfies Record<string, GallerySection['screens'][number]>;

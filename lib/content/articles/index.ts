import { brands } from '../../catalog/brands';
import type { PageContent } from '../page';
import { crashingLaptop } from './crashing-laptop';
import { deletedFiles } from './deleted-files';
import { documentWontOpen } from './document-wont-open';
import { formatDrive } from './format-drive';
import { freeSpace } from './free-space';
import { moveWhatsapp } from './move-whatsapp';
import { videoError } from './video-error';

/** The how-to articles, in the order of the list. */
export const articles: readonly PageContent[] = [
  deletedFiles,
  crashingLaptop,
  formatDrive,
  videoError,
  documentWontOpen,
  moveWhatsapp,
  freeSpace,
];

export const howTo: PageContent = {
  path: '/how-to',
  seo: {
    title: `How-to: what to do when files go wrong | ${brands.mendara.name}`,
    description:
      'Plain advice for deleted files, crashing laptops, unreadable cards, videos and documents that won’t open, a new phone and a full disk.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'What to do first.',
      lead: 'Seven situations, step by step. Most of it works without any of our programs.',
    },
    {
      kind: 'cards',
      tight: true,
      title: 'Articles',
      cards: articles.map(({ path, seo, sections: [head] }) => ({
        title: head?.kind === 'pagehead' ? head.title : seo.title,
        text: seo.description,
        actions: [{ act: 'link', label: 'Read the steps', href: path }],
      })),
    },
  ],
};

import { brands } from '../../catalog/brands';
import { onlineTools } from '../../catalog/tools';
import type { PageContent } from '../page';
import { deletedWithin, extensionsSummary, limit } from '../phrases';
import type { LinkRow } from '../sections';

type Banner = Pick<PageContent, 'path' | 'seo'> & { title: string; lead: string; rows: readonly LinkRow[] };

/** Words of `/tools/Banner`. */
export const toolsBanner: Banner = {
  path: '/tools/Banner',
  seo: {
    title: `Free online repair tools | ${brands.mendara.name}`,
    description: 'The three online repair tools as a banner for our programs.',
  },
  title: 'Repair one file online, free.',
  lead: `Nothing to install, deleted ${deletedWithin}.`,
  rows: [
    {
      href: onlineTools.video.route,
      title: 'Video',
      text: `${extensionsSummary('video')}, ${limit('video')}`,
      tile: 't-video',
    },
    {
      href: onlineTools.photo.route,
      title: 'Photo',
      text: `${extensionsSummary('photo')}, ${limit('photo')}`,
      tile: 't-photo',
    },
    {
      href: onlineTools.file.route,
      title: 'File',
      text: `${extensionsSummary('file')}, ${limit('file')}`,
      tile: 't-file',
    },
  ],
};

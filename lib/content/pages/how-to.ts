import { brands } from '../../catalog/brands';
import { articles } from '../generated/articles';
import { byOrder } from '../order';
import type { PageFile } from '../page';

const list = byOrder(articles);

export default {
  name: 'How-to',
  order: 90,
  menus: [{ in: 'support', order: 30, line: 'What to do when something went wrong' }],
  seo: {
    title: `How-to: what to do when files go wrong | ${brands.mendara.name}`,
    description:
      'Plain advice for deleted files, crashing laptops, unreadable cards, videos and documents that won’t open, a new phone and a full disk.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'What to do first.',
      lead: `${countWord(list.length)} situations, step by step. Most of it works without any of our programs.`,
    },
    {
      kind: 'cards',
      tight: true,
      title: 'Articles',
      cards: list.map(({ path, seo, sections: [head] }) => ({
        title: head?.kind === 'pagehead' ? head.title : seo.title,
        text: seo.description,
        actions: [{ act: 'link', label: 'Read the steps', href: path }],
      })),
    },
  ],
} satisfies PageFile;

/** A number at the head of a sentence: in words up to twelve. */
function countWord(count: number): string {
  const words = 'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ');
  return words[count] ?? String(count);
}

import { brands } from '../../catalog/brands';
import { articles } from '../generated/articles';
import { byOrder } from '../order';
import type { PageFile, Problem } from '../page';

const list = byOrder(articles);

/** What people come with, in the order of the page. */
const problems: readonly { problem: Problem; title: string; lead: string }[] = [
  { problem: 'lost', title: 'Something is lost', lead: 'Deleted, formatted, or on a device that fails.' },
  {
    problem: 'broken',
    title: 'Something doesn’t open',
    lead: 'Videos, photos and documents that are there and won’t show.',
  },
  { problem: 'chats', title: 'Chats', lead: 'To a new phone, or back from a backup.' },
  { problem: 'space', title: 'No space left', lead: 'Room on the disk without a loss.' },
];

export default {
  name: 'How-to',
  order: 90,
  menus: [{ in: 'support', order: 30, line: 'What to do when something went wrong' }],
  seo: {
    title: `How-to: what to do when files go wrong | ${brands.mendara.name}`,
    description:
      'Plain advice by problem: deleted files, unreadable cards, crashing laptops, videos, photos and documents that won’t open, lost chats, a full disk.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'What to do first.',
      lead: `${countWord(list.length)} situations, step by step. Most of it works without any of our programs.`,
    },
    ...problems.map(({ problem, title, lead }) => ({
      kind: 'cards' as const,
      tight: true,
      id: problem,
      title,
      lead,
      cards: list
        .filter(({ text }) => text.problem === problem)
        .map(({ path, seo, sections: [head] }) => ({
          title: head?.kind === 'pagehead' ? head.title : seo.title,
          text: seo.description,
          actions: [{ act: 'link' as const, label: 'Read the steps', href: path }],
        })),
    })),
  ],
} satisfies PageFile;

/** A number at the head of a sentence: in words up to twenty. */
function countWord(count: number): string {
  const words =
    'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen Twenty'.split(
      ' ',
    );
  return words[count] ?? String(count);
}

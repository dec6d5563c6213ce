import { brands } from '../../catalog/brands';
import { guides } from '../generated/guides';
import { byOrder } from '../order';
import type { PageFile } from '../page';

const { mendara, chatferry } = brands;

export default {
  name: 'User guides',
  order: 80,
  menus: [{ in: 'support', order: 10, label: 'Guide', line: 'Every product, step by step' }],
  seo: {
    title: `User guides | ${mendara.name}`,
    description: `Step by step through ${mendara.name} Data Recovery, Duplicate Finder, Repair and ${chatferry.name}.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'User guides',
      lead: 'From the download to the last click, one page per product.',
    },
    {
      kind: 'cards',
      tight: true,
      title: 'Choose a product',
      cards: byOrder(guides).map(({ path, card: { title, tile, text, label } }) => ({
        title,
        tile,
        text,
        actions: [{ act: 'link', label, href: path }],
      })),
    },
  ],
} satisfies PageFile;

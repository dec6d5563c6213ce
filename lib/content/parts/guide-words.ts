import type { ProductTile } from '../pictures';
import type { PageHeadSection, ProseBlock } from '../sections';

/** The head of a guide. */
export function guideHead(name: string, tile: ProductTile, lead: string): PageHeadSection {
  return { kind: 'pagehead', product: { name: 'User guide', tile }, title: name, lead };
}

/** How a licence gets into the program, alike in every guide. */
export const licenceBlocks: readonly ProseBlock[] = [
  { title: 'Enter your licence' },
  {
    list: [
      'Copy the licence code from the e-mail, or from [your account](/account) under My products.',
      'In the program, open the menu, choose Licence and paste it.',
      'The plan and its date appear at once. The badge in your account changes from Not activated to Active.',
    ],
    ordered: true,
  },
  { title: 'If you get stuck' },
  { text: 'Look into the [FAQs](/faq), or [write to support](/contact-us) with what you did and what you saw.' },
];

import { productLines } from '../../catalog/brands';
import { guaranteeDays, requirements } from '../../catalog/facts';
import { dollars, offers } from '../../catalog/plans';
import type { PageFile } from '../page';
import { otherGuarantee } from '../phrases';
import { buyingQuestions, checkoutPromise, supportPromise } from '../store';

const { name } = productLines.duplicate;
const [monthly, pro, ultimate] = offers;

export default {
  name: 'Duplicate Finder Store',
  order: 30,
  seo: {
    title: `Buy ${name} for Windows or Mac`,
    description: `Plans for ${name}: ${monthly.name} ${dollars(monthly.cents)}, ${pro.name} ${dollars(pro.cents)} a year, ${ultimate.name} ${dollars(ultimate.cents)} once. Money back within ${otherGuarantee}.`,
  },
  product: { website: 'duplicate', os: 'both', name },
  sections: [
    {
      kind: 'pagehead',
      product: { name, tile: 'p-dup' },
      title: 'Tidy once, or tidy always.',
      lead: 'Every plan finds and deletes without limits. They differ only in how long they last. Curious first? [Scan for free](/file-duplicate-finder) and see how much you would gain.',
      picture: { drawing: 'dup-delete' },
    },
    { kind: 'plans', website: 'duplicate', feature: 'Scan, select, lock and delete' },
    {
      kind: 'promises',
      tone: 'mist',
      title: 'What comes with every plan',
      promises: [
        {
          title: `${guaranteeDays.everythingElse} days to change your mind`,
          text: 'Money back if it didn’t help. Write to support and tell us your order number.',
        },
        supportPromise,
        checkoutPromise,
      ],
    },
    {
      kind: 'compare',
      title: 'Free and paid',
      caption: `The free version of ${name} compared with paid plans`,
      columns: ['Feature', 'Free', 'Every plan'],
      rows: [
        { name: 'Scan many folders and drives', values: [true, true] },
        { name: 'Preview and sort', values: [true, true] },
        { name: 'Similar pictures', values: [true, true] },
        { name: 'Lock and select by rule', values: [true, true] },
        { name: 'Delete selected copies', values: [false, true] },
      ],
    },
    {
      kind: 'faq',
      tight: true,
      title: 'Buying, plainly',
      more: { label: 'Ask support', href: '/contact-us' },
      questions: [
        ...buyingQuestions,
        { question: 'How many computers can I use it on?', answer: 'One PC or one Mac per licence.' },
        {
          question: 'Does it run on my system?',
          answer: `On ${requirements.duplicateWindows} and on ${requirements.duplicateMac}.`,
        },
        {
          question: 'What is the refund period?',
          answer: `${otherGuarantee}. Write to support with your order number.`,
        },
      ],
    },
  ],
} as const satisfies PageFile;

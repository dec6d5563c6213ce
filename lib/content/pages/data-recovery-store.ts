import { brands, productLines } from '../../catalog/brands';
import { guaranteeDays } from '../../catalog/facts';
import { dollars, offers } from '../../catalog/plans';
import type { PageFile } from '../page';
import { bothGuarantees } from '../phrases';
import { buyingQuestions, checkoutPromise, supportPromise } from '../store';

const [monthly, pro, ultimate] = offers;

export default {
  name: 'Data Recovery Store',
  order: 20,
  seo: {
    title: `Buy ${productLines.recovery.name} for Windows or Mac`,
    description: `Plans for ${productLines.recovery.name}: ${monthly.name} ${dollars(monthly.cents)}, ${pro.name} ${dollars(pro.cents)} a year, ${ultimate.name} ${dollars(ultimate.cents)} once. ${bothGuarantees}`,
  },
  product: { website: 'recovery', os: 'both', name: productLines.recovery.name },
  sections: [
    {
      kind: 'pagehead',
      product: { name: productLines.recovery.name, tile: 'p-recovery' },
      title: 'Three plans. Same tools.',
      lead: 'Every plan recovers and repairs what the scan finds. They differ only in how long they last. Not scanned yet? [Scan for free first](/win-data-recovery), then decide.',
      picture: { drawing: 'recover' },
    },
    { kind: 'plans', website: 'recovery', feature: 'Recover, repair and AI features' },
    {
      kind: 'promises',
      tone: 'mist',
      title: 'What comes with every plan',
      promises: [
        {
          title: `${guaranteeDays.recoveryWindows} days on Windows, ${guaranteeDays.everythingElse} on Mac`,
          text: `${bothGuarantees} Write to support and tell us your order number.`,
        },
        supportPromise,
        checkoutPromise,
      ],
    },
    {
      kind: 'compare',
      title: 'Free and paid',
      caption: 'Free version compared with paid plans',
      columns: ['Feature', 'Free', 'Every plan'],
      rows: [
        { name: 'Quick scan and deep scan', values: [true, true] },
        { name: 'Preview', values: [true, true] },
        { name: 'Recover files', values: [false, true] },
        { name: 'Photo, video and file repair', values: [false, true] },
        { name: 'AI repair', values: [false, true] },
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
        { question: 'What is the refund period?', answer: bothGuarantees },
        {
          question: 'Does a plan include repair?',
          answer: `Yes. Photo, video and file repair are part of ${productLines.recovery.name}, on the computer and without the size limits of the online tools. [See what ${brands.mendara.name} Repair does](/repair-tool).`,
        },
      ],
    },
  ],
} as const satisfies PageFile;

import { brands, productLines } from '../../catalog/brands';
import { statistics, support } from '../../catalog/facts';
import type { PageFile } from '../page';
import { aboutYears, deletedWithin, usersFigure } from '../phrases';

const { mendara, chatferry } = brands;

export default {
  name: 'About Us',
  order: 120,
  menus: [{ in: 'company', order: 10 }],
  seo: {
    title: `About ${mendara.name}`,
    description: `${mendara.name} makes tools that bring files back. ${statistics.experts} people, ${statistics.years} of experience, users in ${statistics.countries} countries.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'We put files back.',
      lead: `${mendara.name} makes programs for the day something is missing: a folder, a card full of photos, the chat with someone who matters. We have done it for ${statistics.years}.`,
      picture: { drawing: 'mark-light' },
    },
    {
      kind: 'stats',
      tight: true,
      title: `${mendara.name} in numbers`,
      stats: [
        { value: aboutYears, label: 'years of experience' },
        { value: statistics.experts, label: 'experts on the team' },
        { value: usersFigure, label: 'users' },
        { value: statistics.countries, label: 'countries' },
      ],
    },
    {
      kind: 'promises',
      tone: 'mist',
      title: 'How we work',
      visible: true,
      promises: [
        {
          title: 'Look before you pay',
          text: 'Nobody can promise what is left on a drive. So scanning and previewing are free, in every program.',
        },
        {
          title: 'Never touch the original',
          text: 'We read, and write somewhere else. A repair works on a copy and says what it could not save.',
        },
        {
          title: 'Say what is so',
          text: 'A healthy file is called healthy, a lost one lost. Where a figure has a limit, the limit stands beside it.',
        },
      ],
    },
    {
      kind: 'prose',
      tight: false,
      blocks: [
        { title: 'What we make' },
        {
          text: `**${productLines.recovery.name}** for [Windows](/win-data-recovery) and [Mac](/data-recovery-mac) finds lost files and repairs damaged ones. **${productLines.duplicate.name}** [clears copies](/file-duplicate-finder). **${chatferry.name}** [moves WhatsApp](/whatsapp-transfer) from phone to phone; it is a brand of ours and has nothing to do with WhatsApp or its owner.`,
        },
        {
          text: 'For one damaged file there are [free tools in the browser](/tools), without installation and without an account.',
        },
        { title: 'Who helps you' },
        {
          text: `Support is there ${support.hours} and replies within ${support.replyHours} hours. You don’t need an order number to ask. [Write to us](/contact-us), or look into the [guides](/user-guide) first.`,
        },
        { title: 'What we do with your data' },
        {
          text: `As little as possible. Desktop programs work on your computer. Uploads to the online tools are deleted ${deletedWithin}. The rest is in the [Privacy Policy](/privacy-policy).`,
        },
      ],
    },
  ],
} as const satisfies PageFile;

import { brands } from '../../catalog/brands';
import { support } from '../../catalog/facts';
import type { PageFile } from '../page';
import { bothGuarantees } from '../phrases';

export default {
  name: 'Support centre',
  order: 110,
  menus: [{ in: 'support', order: 40, line: 'Orders, licences, downloads, people' }],
  seo: {
    title: `Support centre | ${brands.mendara.name}`,
    description: `Help with downloads, orders, licences, refunds, recovery and repair. ${support.hours}, with a reply within ${support.replyHours} hours.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'How can we help?',
      lead: `Pick a place to look, or ask. Support is there ${support.hours} and replies within ${support.replyHours} hours.`,
    },
    {
      kind: 'cards',
      tight: true,
      columns: 3,
      title: 'Find it yourself',
      cards: [
        {
          title: 'Guides',
          icon: 'book-open',
          text: 'Every product, from the download to the last click.',
          actions: [{ act: 'link', label: 'Open guides', href: '/user-guide' }],
        },
        {
          title: 'FAQs',
          icon: 'circle-help',
          text: 'Short answers, with a search.',
          actions: [{ act: 'link', label: 'Search FAQs', href: '/faq' }],
        },
        {
          title: 'How-to',
          icon: 'life-buoy',
          text: 'What to do first when something went wrong.',
          actions: [{ act: 'link', label: 'Read articles', href: '/how-to' }],
        },
        {
          title: 'Download',
          icon: 'download',
          text: 'The programs for Windows and Mac, and what they need.',
          actions: [{ act: 'link', label: 'Get a program', href: '/download' }],
        },
        {
          title: 'Your products',
          icon: 'package',
          text: 'Licence codes, plans, renewal and cancelling.',
          actions: [{ act: 'link', label: 'Open account', href: '/account' }],
        },
        {
          title: 'Ask a person',
          icon: 'message-circle',
          text: 'With order number or without.',
          actions: [{ act: 'link', label: 'Contact us', href: '/contact-us' }],
        },
      ],
    },
    {
      kind: 'faq',
      tone: 'mist',
      title: 'Asked most often',
      more: { label: 'All questions', href: '/faq' },
      questions: [
        {
          question: 'Where is my licence code?',
          answer:
            'In the e-mail you got after the purchase, and in [your account](/account) under My products. No e-mail? Look in the spam folder, then [find the order](/order-lookup) by its number.',
        },
        {
          question: 'How do I sign in after buying without an account?',
          answer:
            'We made an account for your e-mail address and mailed you a preset password, which works for 7 days. Change it at the first sign-in. If it got lost or has ended, [set a new one](/reset-password) with a code by e-mail.',
        },
        {
          question: 'How do I cancel a renewal?',
          answer:
            'In [your account](/account), under My products, press Cancel. The plan keeps working until its expiration date.',
        },
        {
          question: 'How do I get a refund?',
          answer: `${bothGuarantees} [Write to us](/contact-us) with your order number.`,
        },
        {
          question: 'My payment is pending. Was I charged?',
          answer: 'Not yet, or not for certain. We send the result by e-mail. Please don’t pay a second time.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

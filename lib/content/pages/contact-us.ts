import { brands } from '../../catalog/brands';
import { support } from '../../catalog/facts';
import { vendor } from '../../catalog/vendor';
import type { PageFile } from '../page';

export default {
  name: 'Contact Us',
  order: 130,
  menus: [{ in: 'company', order: 20 }],
  seo: {
    title: `Contact ${brands.mendara.name} support`,
    description: `Write to support: orders, licences, downloads, recovery and repair. ${support.hours}, with a reply within ${support.replyHours} hours.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Write to us.',
      lead: `A person reads it. Support is there ${support.hours} and replies within ${support.replyHours} hours.`,
    },
    {
      kind: 'contact',
      title: 'Your message',
      asides: [
        {
          title: 'About an order?',
          text: 'Give the order number from the e-mail, and we find it at once. Plans and licence codes are also in [your account](/account).',
        },
        {
          title: 'About lost files?',
          text: 'Say which drive, what happened, and what you have tried. Please don’t write anything to the drive in the meantime.',
        },
        {
          title: 'Who we are',
          text: `${vendor.legalName}, ${vendor.address}. Registered: ${vendor.registration}. Tax number: ${vendor.taxNumber}.`,
        },
        {
          title: 'In a hurry?',
          text: 'The [FAQs](/faq) and the [guides](/user-guide) answer most questions right away.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

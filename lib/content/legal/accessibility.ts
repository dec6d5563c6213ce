import { brands } from '../../catalog/brands';
import { support } from '../../catalog/facts';
import { vendor } from '../../catalog/vendor';
import type { PageFile } from '../page';

const { mendara, chatferry } = brands;

/** Accessibility statement (Directive (EU) 2019/882, annex V; Commission Implementing Decision (EU) 2018/1523). */
export default {
  name: 'Accessibility',
  order: 40,
  changed: '2026-11-22',
  menus: [{ in: 'company', order: 60 }],
  seo: {
    title: `Accessibility | ${mendara.name}`,
    description: `What of ${mendara.name} and ${chatferry.name} is tested with assistive technology in mind, what is not, and where to complain.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Accessibility',
      lead: `This website of ${mendara.name} and ${chatferry.name} should work for everybody. Here is what we test, what we don’t, and whom to tell when something does not work for you.`,
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What we aim at' },
        {
          text: 'The Web Content Accessibility Guidelines, version 2.2, level AA, on every page of this website, in both brands and in light and dark.',
        },
        { title: 'What is tested' },
        {
          list: [
            'Every page, and the states of forms, dialogs and tools, are checked by the program axe before each release. A release with a finding does not go out.',
            'Menus, tabs, dialogs, the checkout and the online tools are operated by keyboard alone in our tests; where the focus goes is part of them.',
            'Pages are measured at 360 pixels of width, enlarged, with reduced motion, and in dark colours.',
            'Progress and results of uploads, repairs and payments are said to screen readers as they change.',
            'Marketing, store and legal pages read without JavaScript.',
          ],
        },
        { title: 'What is not' },
        {
          list: [
            'We have not had this website audited by an outside body. This statement is our own assessment.',
            'The form in which a card number is entered belongs to the payment provider. We choose a provider that publishes a statement of its own, and do not test the form.',
            'The online tools, the account and the checkout need JavaScript.',
            'Files that you have repaired are as accessible as they were: we give back what was in them.',
            'The desktop programs are not covered by this statement.',
          ],
        },
        { title: 'Tell us' },
        {
          text: `Something does not work for you, or you need a text of ours in another form? [Write to us](/contact-us): what you wanted to do, on which page, and with which browser and assistive technology. Support is there ${support.hours} and replies within ${support.replyHours} hours.`,
        },
        { title: 'Where to complain' },
        {
          text: `If our answer does not satisfy you, write to ${vendor.legalName}, ${vendor.address}. In the European Union you can also turn to the market surveillance authority of your country, which watches over the accessibility of services under Directive (EU) 2019/882; the contact page of your country’s consumer authority names it.`,
        },
        { title: 'This statement' },
        {
          text: 'It was made on November 22, 2026 from the results of our tests, and is looked through with every release.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

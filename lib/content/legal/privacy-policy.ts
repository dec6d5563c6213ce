import { brands } from '../../catalog/brands';
import { privacyPolicyDate, support } from '../../catalog/facts';
import { limits } from '../../catalog/limits';
import { keptDays } from '../../catalog/retention';
import { uploadLifeHours } from '../../catalog/tools';
import type { PageFile } from '../page';

const { mendara, chatferry } = brands;

/** Privacy policy: date, data and rights (lib/contract/README.md, 7 and 23). */
export default {
  name: 'Privacy Policy',
  order: 20,
  menus: [{ in: 'company', order: 30 }],
  seo: {
    title: `Privacy Policy | ${mendara.name}`,
    description: `What ${mendara.name} collects, why, for how long, and the rights you have. Last updated ${privacyPolicyDate}.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Privacy Policy',
      lead: `What ${mendara.legalName} collects when you use this website or a program of ${mendara.name} or ${chatferry.name}, and what you can do about it.`,
      note: `Last updated ${privacyPolicyDate}`,
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'In short' },
        {
          list: [
            'Your files stay on your computer when you use a desktop program. We don’t see them.',
            `Files you upload to an online repair tool are deleted within ${uploadLifeHours} hours.`,
            'We don’t collect payment instrument numbers. They go to the payment provider.',
            'Nothing is stored to measure visits until you agree, and you can take the agreement back.',
          ],
        },
        { title: 'What we collect' },
        {
          table: {
            caption: 'Data we collect and why',
            columns: ['When', 'What', 'What for'],
            rows: [
              [
                'In general',
                'Name, e-mail, contact information, usage logs, device information',
                'To answer you, to run the service and to find faults',
              ],
              [
                'With an account',
                'Name, age, gender, image, address, e-mail, country, password',
                'To keep your products and plans together. Only the e-mail address and a password are needed; a password is stored as a hash',
              ],
              [
                'With a purchase',
                'Billing name, e-mail, billing address, product type, amount and currency, subscription ID, subscription-related URLs',
                'To carry out the purchase, renewals and refunds, and to keep the books',
              ],
              ['When you write to us', 'Comments or feedback', 'To answer and to make the product better'],
            ],
          },
        },
        {
          text: 'We do **not** collect payment instrument numbers, such as card or account numbers. You enter them on the payment provider’s page.',
        },
        { title: 'Files you upload' },
        {
          text: `An upload to an online repair tool travels over ${support.encryption}, is repaired by a program, not by a person, and is deleted with its result within ${uploadLifeHours} hours, or at once when you press delete. We don’t look into it, don’t pass it on and don’t train anything with it.`,
        },
        { title: 'Cookies and stored values' },
        {
          text: 'What this website stores in your browser, for how long and what for, is listed in the [Cookies Policy](/cookies-policy). There you can also take your agreement back.',
        },
        { title: 'Who gets data' },
        {
          text: 'Those who work for us on this service: the payment provider, the provider that sends our e-mails, and the hosting of our servers. They may use the data only for that. We don’t sell data. We hand it to an authority only where the law makes us.',
        },
        { title: 'How long we keep it' },
        {
          list: [
            `Uploads and results: up to ${uploadLifeHours} hours.`,
            'An account: until you delete it.',
            `Orders: as long as tax law asks us to keep the books. Orders that were not paid: ${keptDays.unpaidOrders} days.`,
            `Messages to support: ${keptDays.messages} days.`,
            `What your agreement lets us count: ${keptDays.events} days. E-mails that we sent you: a month.`,
          ],
        },
        { title: 'Your rights' },
        { text: 'Whatever country you live in, you can:' },
        {
          list: [
            '**Be informed** about what we do with your data, which is what this page is for',
            '**Access** the data we hold about you',
            'Have wrong data corrected (**rectification**)',
            'Have data deleted (**erasure**)',
            '**Withdraw consent** at any time, with effect from then on',
            '**Object** to a use of your data',
            '**Restrict** how we use it while a question is open',
            '**Complain** to a data protection authority',
            'Take your data with you in a common format (**portability**)',
          ],
        },
        {
          text: 'Most of it you can do yourself in [your account](/account). For everything else, [write to us](/contact-us); we answer within a month at the latest.',
        },
        { title: 'Children' },
        {
          text: `The service is not for children under ${limits.minimumAge}. Anyone younger needs a parent’s consent. If you think a child has given us data without it, tell us and we delete it.`,
        },
        { title: 'Security' },
        {
          text: `Data travels over ${support.encryption}. Access inside the company is limited to people who need it. If something goes wrong that puts your data at risk, we tell you and the authority as the law requires.`,
        },
        { title: 'Changes and contact' },
        {
          text: `When this policy changes, the new text and its date stand here. This one was last updated on ${privacyPolicyDate}. Questions go to our [contact page](/contact-us).`,
        },
      ],
    },
  ],
} as const satisfies PageFile;

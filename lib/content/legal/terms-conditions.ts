import { brands } from '../../catalog/brands';
import { guaranteeDays, support } from '../../catalog/facts';
import { limits } from '../../catalog/limits';
import { currency } from '../../catalog/plans';
import { desktopLimitText, uploadLifeHours } from '../../catalog/tools';
import { taxWords, vendor, withdrawalDays } from '../../catalog/vendor';
import type { PageFile } from '../page';
import { bothGuarantees } from '../phrases';

const { mendara, chatferry } = brands;

/** Terms and Conditions: nine numbered sections, licence for non-commercial personal use (lib/contract/README.md, 23). */
export default {
  name: 'Terms and Conditions',
  order: 10,
  menus: [{ in: 'company', order: 50 }],
  seo: {
    title: `Terms and Conditions | ${mendara.name}`,
    description: `The terms for ${mendara.name} and ${chatferry.name}: licence for personal use, plans and renewal, refunds, online tools, liability.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Terms and Conditions',
      lead: 'What you may expect of us and what we ask of you, in nine sections.',
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: '1. Who this is between' },
        {
          text: `These terms apply between you and ${vendor.legalName}, ${vendor.address} (registered: ${vendor.registration}; tax number: ${vendor.taxNumber}), called “we” here, when you use this website, its online repair tools, or one of our desktop programs under the names ${mendara.name} and ${chatferry.name}. By downloading a program, buying a plan or uploading a file you accept them.`,
        },
        {
          text: `You must be at least ${limits.minimumAge} years old, or have a parent’s consent. Consumer rights that the law of your country gives you stay as they are, whatever is written here.`,
        },
        { title: '2. Licence' },
        {
          text: 'We grant you a licence to install and use the program for **non-commercial, personal use**. The licence is not exclusive, can’t be transferred and lasts as long as the plan you bought.',
        },
        {
          list: [
            `One licence of a ${mendara.name} program covers one computer.`,
            `One licence of ${chatferry.name} covers an unlimited number of your own PCs.`,
            'You may not rent, resell or share the licence, or use the program to work for others for money.',
            'You may not take the program apart, except where the law allows it.',
          ],
        },
        { title: '3. Free version and online tools' },
        {
          text: 'The free version lets you download, scan and preview. Recovery, repair and AI features need a plan. The online repair tools are free and repair one file at a time, without batch repair, preview or technical assistance.',
        },
        {
          text: `Upload only files that you have a right to use. Uploads are deleted within ${uploadLifeHours} hours. The size limits stand on each tool’s page; the desktop programs take files of up to ${desktopLimitText}.`,
        },
        { title: '4. Plans, prices and renewal' },
        {
          text: `Prices are in ${currency} and stand on the store pages. A plan is billed weekly, monthly or yearly and renews for the same period until you cancel, or it is perpetual: paid once, without renewal. They are what you pay in all, ${taxWords}; no fee is added.`,
        },
        {
          text: 'You can cancel a renewing plan in [your account](/account) at any time. It then keeps working until the end of the period you have paid for.',
        },
        { title: '5. Money back and withdrawal' },
        {
          text: `${bothGuarantees} The period starts on the day of the purchase. Write to [support](/contact-us) with your order number; you need not give a reason for it to be read, though it helps us.`,
        },
        {
          text: `Beside this guarantee you have the right to withdraw from your purchase within ${withdrawalDays} days without giving a reason. The period begins on the day of the purchase. Press Withdraw beside the order in [your account](/account), [open the order](/order-lookup) by its number, or [write to us](/contact-us) that you withdraw; a sentence is enough. We confirm it by e-mail and give the whole price back within ${withdrawalDays} days, the way the payment came. The licence ends then.`,
        },
        { title: '6. What the programs can’t promise' },
        {
          text: 'Lost data can be overwritten and damaged data can be beyond repair. The free scan and the preview show you what is there before you pay. A recovery rate that we quote is an average; your result depends on the drive and on what happened since.',
        },
        {
          list: [
            'Install on a different drive from the one you lost files on, and save recovered files to a different drive.',
            'Keep the original of a damaged file until you have checked the repaired one.',
            'AI repair fills gaps with a best guess. Compare its result before you rely on it.',
          ],
        },
        { title: '7. Your account' },
        {
          text: 'You need no account to browse, to use the online tools or to buy. If you buy without one, we create it for your e-mail address and send you a preset password, which works for 7 days and which you should change at the first sign-in. Keep your password and your licence code to yourself, and tell us if someone else has them.',
        },
        { title: '8. Liability' },
        {
          text: 'We are liable without limit for intent and gross negligence, for injury to life, body or health, and wherever the law does not allow a limit. For slight negligence we are liable only where we break a duty that the contract rests on, and then for the damage that was to be expected. Back up what you can’t do without.',
        },
        { title: '9. Changes, law and contact' },
        {
          text: 'If we change these terms, the new version stands on this page; for a plan that already runs, a change that is to your disadvantage takes effect with its next renewal, and you can cancel before. If one of these terms does not hold, the others still do. Mandatory consumer law of the country you live in applies.',
        },
        {
          text: `Questions? [Write to us](/contact-us). Support is there ${support.hours} and replies within ${support.replyHours} hours. Refunds within ${guaranteeDays.everythingElse} or ${guaranteeDays.recoveryWindows} days, as section 5 says.`,
        },
      ],
    },
  ],
} as const satisfies PageFile;

import { brands, productLines } from '../../catalog/brands';
import { requirements, support } from '../../catalog/facts';
import { limits } from '../../catalog/limits';
import { dollars, offers } from '../../catalog/plans';
import { desktopLimitText } from '../../catalog/tools';
import { taxWords, withdrawalDays } from '../../catalog/vendor';
import type { PageFile } from '../page';
import { bothGuarantees, deletedWithin, extensionsList, limit, macRate, windowsRate } from '../phrases';

const { mendara, chatferry } = brands;

/** FAQ. Its first topics are free use, permanently deleted files and a crashing laptop (lib/contract/README.md, 23). */
export default {
  name: 'FAQs',
  order: 100,
  menus: [{ in: 'support', order: 20, line: 'Short answers, searchable' }],
  seo: {
    title: `FAQs | ${mendara.name}`,
    description:
      'Short answers about free use, deleted files, crashing laptops, repair, plans, refunds and accounts, with a search.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Questions, answered.',
      lead: 'Type a word, or read by topic.',
    },
    {
      kind: 'faqs',
      title: 'All questions',
      groups: [
        {
          title: 'Free use',
          questions: [
            {
              question: `Is ${mendara.name} really free to try?`,
              answer:
                'Yes. Downloading, scanning and previewing cost nothing and have no time limit. You pay when you want to recover or repair what you found.',
            },
            {
              question: 'Are the online tools free too?',
              answer: `Yes, for one file at a time and without an account. They have no batch repair, no preview and no technical assistance. The [desktop version](/repair-tool) has all three.`,
            },
            {
              question: 'Is the download safe?',
              answer:
                'Download it here only. The [download page](/download) shows the version, size and SHA-256 of each installer, so that you can check that what arrived is what we put there, and scan it for viruses yourself. Recovery reads your drive and writes nothing to it until you save.',
            },
            {
              question: 'What does the paid version add?',
              answer:
                'Recovering and repairing the files you found, and AI repair. [See the plans](/data-recovery-store).',
            },
          ],
        },
        {
          title: 'Deleted files',
          questions: [
            {
              question: 'Can I get back files I deleted permanently?',
              answer: `Often. Deleting removes the entry, not the content, until something new is written over it. ${windowsRate}`,
            },
            {
              question: 'And on a Mac?',
              answer: `The same holds for an emptied Trash. ${macRate}`,
            },
            {
              question: 'What should I do first?',
              answer:
                'Stop using the drive. Don’t install anything on it. Scan it from another drive, look at the preview, and save what you find somewhere else. [Step by step](/how-to/recover-permanently-deleted-files).',
            },
            {
              question: 'Windows says the card must be formatted. Should I?',
              answer:
                'No. Say no, leave the card in, and scan it. [Why, and how](/how-to/drive-asks-to-be-formatted). For a camera’s card there is [a page of its own](/how-to/memory-card-error).',
            },
          ],
        },
        {
          title: 'A crashing laptop',
          questions: [
            {
              question: 'My laptop keeps crashing. How do I protect my data?',
              answer:
                'Save as little as possible on it. Connect an external drive and copy or recover your files to it first. Only then repair or reset the laptop. [The whole plan](/how-to/protect-data-on-a-crashing-laptop).',
            },
            {
              question: 'It doesn’t start any more. Are my files lost?',
              answer:
                'Not because of that. The drive can be taken out or read from another computer, and scanned there like any other drive.',
            },
          ],
        },
        {
          title: 'Damaged files',
          questions: [
            {
              question: 'Which files can I repair online?',
              answer: `Video ${limit('video')}: ${extensionsList('video')}. Photo ${limit('photo')}: ${extensionsList('photo')}. File ${limit('file')}: ${extensionsList('file')}.`,
            },
            {
              question: 'A player shows an error code. Which one means what?',
              answer:
                'Each has a page of its own: [0xc00d36c4](/how-to/error-0xc00d36c4), [224003](/how-to/error-224003) and [232011](/how-to/error-232011). Only the first is about a file.',
            },
            {
              question: 'My recording was cut off and won’t play. Is it lost?',
              answer:
                'Mostly not. The pictures are there, the index is missing. [How to get it to play](/how-to/interrupted-recording).',
            },
            {
              question: 'Half of my photo is grey. Why?',
              answer:
                'One damaged place is enough, since a JPEG is read from top to bottom. [What can be brought back](/how-to/half-grey-photo).',
            },
            {
              question: 'Word, Excel or a PDF reader refuses my file. What first?',
              answer:
                'Copy it again and open it elsewhere; then see [Word](/how-to/word-document-corrupt), [Excel](/how-to/excel-file-will-not-open) or [PDF](/how-to/pdf-will-not-open).',
            },
            {
              question: 'My file is larger. What now?',
              answer: `[${mendara.name} Repair for desktop](/repair-tool) takes files up to ${desktopLimitText}, many at once.`,
            },
            {
              question: 'What happens to what I upload?',
              answer: `It is sent over ${support.encryption} and deleted ${deletedWithin}, together with the result. You can delete it at once.`,
            },
            {
              question: 'It says “not repairable”. Is that final?',
              answer: `It means that too little is left in this file. If there is another copy, for instance on the card, try [data recovery](/win-data-recovery), or the [desktop repair](/repair-tool), which has more ways.`,
            },
          ],
        },
        {
          title: 'WhatsApp transfer',
          questions: [
            {
              question: `What does ${chatferry.name} move?`,
              answer:
                'Messages and groups, photos, videos, files and voice messages, between iPhone and Android in both directions. Old and new chats are merged.',
            },
            {
              question: 'Can deleted chats come back?',
              answer:
                'From a backup that is older than the deletion, yes; from almost nowhere else. [Where to look](/how-to/deleted-chats).',
            },
            {
              question: 'Which phones work?',
              answer: `${requirements.ios} and ${requirements.android}.`,
            },
            {
              question: `Is ${chatferry.name} from WhatsApp?`,
              answer: `No. It is made by ${chatferry.legalName} and has nothing to do with WhatsApp or its owner.`,
            },
          ],
        },
        {
          title: 'Duplicates',
          questions: [
            {
              question: 'Can it delete the wrong file?',
              answer:
                'Only what you select. Locked files are never offered, and at least one copy of each group stays. Deleted copies go to the recycle bin or the Trash first.',
            },
            {
              question: 'Which systems does it run on?',
              answer: `${requirements.duplicateWindows} and ${requirements.duplicateMac}.`,
            },
          ],
        },
        {
          title: 'Buying and accounts',
          questions: [
            {
              question: 'Do I need an account to buy?',
              answer:
                'No. Your e-mail address is enough. We create the account and mail you a preset password, which works for 7 days and which you change at the first sign-in.',
            },
            {
              question: 'How many computers does a licence cover?',
              answer: `One PC or one Mac. A licence of ${productLines.whatsapp.name} is for unlimited PCs.`,
            },
            {
              question: 'What does it cost?',
              answer: `The plans are ${offers.map(({ name, cents }) => `${name} ${dollars(cents)}`).join(', ')}, ${taxWords}. Monthly and Pro renew until you cancel, Ultimate is paid once. [Prices of every product](/product-center).`,
            },
            {
              question: 'What is the money-back guarantee?',
              answer: `${bothGuarantees} Write to [support](/contact-us) for a refund.`,
            },
            {
              question: 'How do I withdraw from a purchase?',
              answer: `Within ${withdrawalDays} days, without a reason: press Withdraw beside the order in [your account](/account), or [open the order](/order-lookup) by its number. The money goes back and the licence ends.`,
            },
            {
              question: 'Where is my receipt or invoice?',
              answer:
                'In [your account](/account), under Orders and receipts, as a PDF. Without signing in, [find the order](/order-lookup) by its number and e-mail address.',
            },
            {
              question: 'Where is my licence code?',
              answer:
                'In the e-mail we sent after the payment, and in [your account](/account) under My products. You enter it in the program once.',
            },
            {
              question: 'How do I sign in?',
              answer:
                'With your e-mail address and password, at [Sign in](/login). If you bought without an account, the password came by e-mail.',
            },
            {
              question: 'How do I cancel a subscription?',
              answer: 'In [your account](/account) under My products. It keeps working until the date shown there.',
            },
            {
              question: 'I forgot my password.',
              answer: 'Have a code sent to your e-mail address and [set a new one](/reset-password).',
            },
            {
              question: 'How old must I be?',
              answer: `${limits.minimumAge}, or have a parent’s consent.`,
            },
            {
              question: 'How fast does support reply?',
              answer: `Within ${support.replyHours} hours, ${support.hours}. [Write to us](/contact-us).`,
            },
          ],
        },
      ],
    },
  ],
} as const satisfies PageFile;

import { brands, productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead, licenceBlocks } from '../parts/guide-words';

const { name } = brands.chatferry;
const { store } = productLines.whatsapp;

export default {
  name: 'Guide to ChatFerry',
  order: 50,
  card: {
    title: brands.chatferry.name,
    tile: 'p-ferry',
    text: 'Back up, connect, restore, merge, export.',
    label: 'Open the transfer guide',
  },
  seo: {
    title: `Guide: ${name}, WhatsApp from phone to phone`,
    description:
      'How to back up the old phone, connect the new one, restore from the list, merge chats, and export to PDF or HTML.',
  },
  sections: [
    guideHead(name, 'p-ferry', 'Keep both phones, two cables and an hour. The computer does the work.'),
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Before you start' },
        {
          list: [
            `Phones: ${requirements.ios}, ${requirements.android}.`,
            `Computer: CPU ${requirements.whatsapp.cpu}, RAM ${requirements.whatsapp.ram}, disk ${requirements.whatsapp.disk} and room for the backup.`,
            'WhatsApp is installed on both phones, and you have signed in to it on the new one.',
            'Both phones are charged to more than half.',
          ],
        },
        { title: 'Back up the old phone' },
        {
          list: [
            'Connect the old phone by cable and unlock it. Confirm that it trusts the computer.',
            'Choose Back up and set a password. The backup is encrypted with it and stays on your PC.',
            'Wait until the bar is full. Leave the cable in.',
          ],
          ordered: true,
        },
        {
          note: 'Nobody can reset the backup’s password, we can’t either. Write it down.',
          tone: 'warn',
        },
        { title: 'Connect the new phone' },
        {
          text: 'iPhone to Android, Android to iPhone, or the same kind again. Unlock it and confirm that it trusts the computer.',
        },
        { title: 'Restore from the list' },
        {
          list: [
            'Choose the backup by phone, day and size. Open a chat to make sure it is the right one.',
            'Choose Restore, then the new phone.',
            'Leave both phones alone until the message that it is done.',
          ],
          ordered: true,
        },
        { title: 'Merge old and new chats' },
        {
          text: 'If the new phone already has messages, choose Merge. Both histories become one, each message once, in the order it was sent. Nothing is overwritten.',
        },
        { title: 'Export to PDF or HTML' },
        {
          text: 'Open a chat in the backup, choose Export, a period and PDF or HTML. Pictures, names and dates come along. The file is saved on your PC.',
        },
        {
          text: `Seeing what is on the phones is free. Transfer, backup, merging and export need a [plan](${store}).`,
        },
        ...licenceBlocks,
        {
          text: `${name} has nothing to do with WhatsApp or its owner.`,
        },
      ],
    },
  ],
} as const satisfies GuideFile;

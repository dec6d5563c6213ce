import { brands } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { PageFile } from '../page';

const { name } = brands.chatferry;

export default {
  name: 'Move WhatsApp to a new phone',
  order: 60,
  seo: {
    title: 'How to move WhatsApp to a new phone',
    description:
      'Same kind of phone or a change from iPhone to Android: what to prepare, what to keep, and how to lose no chat.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Move WhatsApp to a new phone',
      lead: 'The number moves by itself. The chats don’t. Keep the old phone until they have.',
      picture: { drawing: 'back-up' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Before you hand in the old phone' },
        {
          list: [
            'Don’t delete the app, don’t reset the phone, don’t give it away.',
            'Charge both phones and put the cables ready.',
            `Check the systems: ${requirements.ios}, ${requirements.android}.`,
          ],
          ordered: true,
        },
        { title: 'Same kind of phone' },
        {
          text: 'From iPhone to iPhone or Android to Android the app’s own backup is often enough: back up on the old phone, install on the new one, restore when it asks.',
        },
        { title: 'From one kind to the other' },
        {
          list: [
            `Install [${name}](/whatsapp-transfer) on your computer.`,
            'Connect the old phone and back it up. The backup is encrypted and stays on your PC.',
            'Connect the new phone and choose the backup from the list.',
            'Restore, and look into a few chats before you reset the old phone.',
          ],
          ordered: true,
        },
        { title: 'Already chatting on the new phone?' },
        {
          text: 'Then merge instead of restoring. Old and new messages become one history and nothing is overwritten.',
        },
        { title: 'Keep a copy you can read' },
        {
          text: 'Chats that matter can be exported to PDF or HTML, with pictures and dates. They can be read without any phone.',
        },
        { note: `${name} has nothing to do with WhatsApp or its owner.` },
      ],
    },
  ],
} as const satisfies PageFile;

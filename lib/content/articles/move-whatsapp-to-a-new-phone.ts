import { brands } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { PageFile } from '../page';

export default {
  name: 'Move WhatsApp to a new phone',
  order: 110,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'chats',
    related: ['/how-to/deleted-chats', '/user-guide/whatsapp-transfer', '/whatsapp-transfer'],
  },
  seo: {
    title: 'How to move WhatsApp to a new phone',
    description:
      'Same kind of phone or a change from iPhone to Android: what to prepare, what to keep, and how to lose no chat.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Move WhatsApp to a new phone',
      lead: 'The number moves by itself; the chats don’t. Keep the old phone with the app on it until they have arrived. Between phones of one kind the app’s own ways are enough; from one kind to the other you need a cable, or a computer.',
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
            'Charge both phones, and have their cables ready.',
            'Update the app on both.',
            'Keep the number. If it changes too, change it first, on the old phone: Settings, Account, Change number.',
            'Make a backup today, even if you mean to use another way. It is your net.',
          ],
          ordered: true,
        },
        { title: 'Same kind of phone' },
        {
          text: '**Android to Android.** The quickest way is the app’s own transfer: Settings, Chats, Transfer chats, and scan the code with the new phone. Both have to be near each other. Or back up to the Google account, install on the new phone with the same account, and restore when it asks. **iPhone to iPhone.** Settings, Chats, Chat Backup, Back Up Now; then install on the new phone with the same Apple account, verify the number, restore. If you set up the new iPhone from the old one, chats come along by themselves.',
        },
        {
          picture: {
            drawing: 'connect',
            label: 'A phone is connected to the computer, where an encrypted backup is ready',
          },
        },
        {
          text: 'In both cases the app asks **once** whether to restore: right after it has verified your number. Who taps Skip there has to delete the app and begin again.',
        },
        { title: 'From one kind to the other' },
        { text: 'The makers have ways of their own, and they are free:' },
        { text: 'Both want the new phone empty. If it is in use already, or the cable way fails, use a computer.' },
        {
          list: [
            '**Android to iPhone:** the app Move to iOS, while the new iPhone is being set up. It has to be new or reset.',
            '**iPhone to Android:** by cable, during the set-up of the new phone, with the code that the app shows.',
          ],
        },
        { title: 'With a computer' },
        {
          list: [
            `Install [${brands.chatferry.name}](/whatsapp-transfer). It runs with phones from ${requirements.ios} and ${requirements.android}.`,
            'Connect the old phone and back it up. The backup is encrypted and stays on your PC.',
            'Connect the new phone and pick the backup from the list.',
            'Restore, and look into some chats before you reset anything.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'restore', label: 'The list of backups, with Restore beside the newest one' } },
        {
          text: 'You see what is on both phones before you pay. [The guide](/user-guide/whatsapp-transfer) has each step with its screen.',
        },
        { title: 'Already chatting on the new phone?' },
        {
          text: 'Then a restore would replace what is there. Merge instead: old and new messages become one history, each message once, in the order in which they were sent.',
        },
        { picture: { drawing: 'ferry-merge', label: 'Two histories, the old and the new one, become one' } },
        { title: 'What doesn’t move' },
        {
          list: [
            'Calls in progress, live locations, and messages that are set to disappear.',
            'Backups of another number. They belong to the number they were made with.',
            'Payments. They are set up anew.',
          ],
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t register the number on the new phone in the shop, “to test”. From then on messages arrive there.',
            'Don’t trust apps that want your account’s password for the move. None is needed.',
            'Don’t reset the old phone on the same day.',
          ],
        },
        { title: 'Keep a copy you can read' },
        {
          text: 'Chats that matter can be exported to PDF or HTML, with pictures and dates. They can be read in ten years, without any phone. The app itself exports one chat as text: open the chat, tap its name, Export Chat.',
        },
        { title: 'Questions' },
        { title: 'How long does it take?', level: 3 },
        { text: 'Text is quick. Pictures and videos decide; plan an evening, not a coffee break.' },
        { title: 'Do my contacts notice?', level: 3 },
        { text: 'No. They only see a note that your security code changed.' },
        { title: 'The old phone is broken. What now?', level: 3 },
        {
          text: 'Then only backups are left: the cloud’s, or one on your computer. [Look for them here](/how-to/deleted-chats).',
        },
        { title: `Does ${brands.chatferry.name} belong to WhatsApp?`, level: 3 },
        { text: 'No. It has nothing to do with WhatsApp or with its owner.' },
      ],
    },
  ],
} as const satisfies PageFile;

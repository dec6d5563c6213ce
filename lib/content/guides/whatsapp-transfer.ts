import { brands, productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead } from '../parts/guide-words';

export default {
  name: 'Guide to ChatFerry',
  order: 50,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    related: ['/how-to/move-whatsapp-to-a-new-phone', '/how-to/deleted-chats', '/whatsapp-transfer'],
  },
  card: {
    title: `${brands.chatferry.name}`,
    tile: 'p-ferry',
    text: 'Back up, connect, restore, merge, export.',
    label: 'Open the transfer guide',
  },
  seo: {
    title: `Guide: ${brands.chatferry.name}, WhatsApp from phone to phone`,
    description:
      'How to back up the old phone, connect the new one, restore from the list, merge chats, and export to PDF or HTML.',
  },
  sections: [
    guideHead(
      `${brands.chatferry.name}`,
      'p-ferry',
      'Back up the old phone to your computer, connect the new one, choose the backup, restore or merge. Both phones stay on their cables until it says that it is done. Keep two cables and an hour; the computer does the work.',
    ),
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
            'You know the code that unlocks each of them.',
          ],
        },
        { title: 'Install' },
        {
          list: [
            '[Download](/download) the program on the page of downloads and open the installer.',
            'If Windows doesn’t see an iPhone, install Apple Devices or iTunes from the Microsoft Store: they bring Apple’s drivers.',
            'Close other programs that talk to phones, such as photo importers.',
          ],
          ordered: true,
        },
        { title: 'Connect a phone' },
        {
          picture: {
            drawing: 'ferry-devices',
            label: 'Messages cross from the old phone to the new one, with their number',
          },
        },
        {
          text: '**iPhone:** plug it in, unlock it, tap Trust, enter the code. **Android:** plug it in, unlock it, and confirm the question whether it trusts this computer. Leave the screen on; a phone that locks itself lets the connection go. If a phone isn’t seen, try another cable first. Many cables only charge.',
        },
        { title: 'Back up the old phone' },
        { picture: { drawing: 'back-up', label: 'An Android phone is being backed up, 1.4 GB so far' } },
        {
          list: [
            'Choose Back up and set a password. The backup is encrypted with it and stays on your PC.',
            'Wait until the bar is full. Leave the cable in, and the phone unlocked.',
          ],
          ordered: true,
        },
        { note: 'Nobody can reset the backup’s password, we can’t either. Write it down.', tone: 'warn' },
        {
          text: 'Each backup stays in the list with its phone, its day and its size. Make a new one on the day of the move: what came in since the last one is not in it.',
        },
        { title: 'Restore from the list' },
        { picture: { drawing: 'ferry-backups', label: 'The list of backups, by phone, day and size' } },
        {
          text: 'iPhone to Android, Android to iPhone, or the same kind again: the steps are the same. Give it time: pictures and videos take most of it.',
        },
        {
          list: [
            'Choose the backup by phone, day and size. Open a chat to make sure it is the right one.',
            'Choose Restore, then the new phone.',
            'Leave both phones alone until the message that it is done.',
            'Open WhatsApp on it and look into two or three chats, old and recent.',
          ],
          ordered: true,
        },
        { title: 'Merge old and new chats' },
        {
          text: 'If the new phone already has messages, choose Merge. Both histories become one, each message once, in the order it was sent. Nothing is overwritten. Make a backup of the new phone before, all the same; it costs minutes.',
        },
        { picture: { drawing: 'ferry-merge', label: 'Old and new messages of a chat in one history' } },
        { title: 'Export to PDF or HTML' },
        { picture: { drawing: 'ferry-export', label: 'A chat with pictures and dates as it will stand in the PDF' } },
        {
          text: 'Open a chat in the backup, choose Export, a period and PDF or HTML. Pictures, names and dates come along. The file is saved on your PC and opens in any browser or reader. PDF is the better one for printing and for passing on, HTML for reading on a screen. An export is for reading. It can’t be brought back into the app.',
        },
        { title: 'What is free' },
        {
          text: `Connecting phones, making the list and looking into chats cost nothing. Transfer, backup, merging and export need a [plan](${productLines.whatsapp.store}).`,
        },
        { title: 'Licence' },
        {
          text: 'The code stands in the mail of your purchase and under My products in [your account](/account). Paste it under Licence in the menu.',
        },
        { title: 'Troubles' },
        { title: 'The backup stops at the same place', level: 3 },
        {
          text: 'Look at the room on the computer’s disk first. A backup needs as much as the chats take on the phone.',
        },
        { title: '“Trust this computer” appears again and again', level: 3 },
        { text: 'Restart phone and computer, and use a port of the computer itself.' },
        { title: 'The new phone shows the chats but no pictures', level: 3 },
        { text: 'Leave WhatsApp open for some minutes, with the phone on its charger, and look again.' },
        { title: 'After an update of WhatsApp it doesn’t work', level: 3 },
        {
          text: `Apps change now and then. Update ${brands.chatferry.name}; if that doesn’t help, [write to us](/contact-us) with both versions.`,
        },
        { title: 'Is this an app of WhatsApp?', level: 3 },
        { text: `No. ${brands.chatferry.name} has nothing to do with WhatsApp or its owner.` },
      ],
    },
  ],
} as const satisfies GuideFile;

import { brands } from '../../catalog/brands';
import type { PageFile } from '../page';

export default {
  name: 'Get deleted chats back',
  order: 120,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'chats',
    related: ['/how-to/move-whatsapp-to-a-new-phone', '/user-guide/whatsapp-transfer', '/whatsapp-transfer'],
  },
  seo: {
    title: 'Deleted WhatsApp chats: what can still be had',
    description:
      'A chat was deleted, the app was removed, the phone was reset. Which backups may still hold it, how to restore without losing today’s chats.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Get deleted chats back',
      lead: 'A deleted chat comes back from a backup that is older than the deletion, and from almost nowhere else. Don’t let a new backup overwrite the old one: switch automatic backups off now, then look at the dates.',
      picture: { drawing: 'g-bubbles' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Two minutes that decide' },
        {
          list: [
            'Open the app’s settings, Chats, Chat backup, and set automatic backup to Never. Tonight’s backup would replace the one you need.',
            'Look at the date of the last backup on the same screen. Is it older than the deletion? Then the chat is in it.',
            'Don’t delete the app yet. First read the rest.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-bubbles',
            label: 'A backup of Monday holds the deleted message, the one of today does not',
          },
        },
        { title: 'First, the simple cases' },
        {
          list: [
            '**Archived, not deleted.** Pull the list of chats down, or scroll to its top: Archived.',
            '**Locked.** Locked chats stand in a folder of their own, above.',
            '**Disappearing messages.** If the chat was set so, they are gone by agreement, and backups made later don’t have them.',
            '**“This message was deleted.”** The sender took it back. It was never yours to keep.',
            '**Ask the other side.** In a chat of two everything exists twice. An export from their phone takes a minute.',
          ],
        },
        { title: 'Where backups may be' },
        {
          list: [
            '**In the cloud.** Android: the Google account. iPhone: iCloud. There is one, the latest.',
            '**On the Android phone itself.** The app keeps local copies of the last days in the folder Android/media/com.whatsapp/WhatsApp/Databases, one file a day.',
            '**In a backup of the whole iPhone** on your computer (Finder, iTunes or Apple Devices).',
            `**On a computer**, if you have used ${brands.chatferry.name} or another program before.`,
            '**On the old phone** in the drawer. Charge it, and leave it without a network.',
          ],
        },
        { title: 'Restore without losing today' },
        {
          text: 'A restore puts the state of the backup in the place of the present one. What came in since would be gone, so save it first.',
        },
        { picture: { drawing: 'g-bring-back', label: 'Copy today’s chats out, install anew, restore the old backup' } },
        {
          list: [
            'Export the chats that have gone on since then: chat, name, Export Chat. Or back up the phone to the computer.',
            'Delete the app and install it again.',
            'Verify the number, and choose Restore when it asks. It asks once.',
            'From a local copy: before step 3, rename the file of the right day to msgstore.db.crypt15 (or to the number that your files end in), in the same folder.',
            'Look into the chat, and export it at once.',
          ],
          ordered: true,
        },
        { title: 'Both histories in one' },
        {
          text: `If you want the old and the new messages together, a restore is the wrong tool. [${brands.chatferry.name}](/whatsapp-transfer) merges a backup from the computer with what is on the phone and shows you both before.`,
        },
        { picture: { drawing: 'ferry-backups', label: 'A list of backups by phone, day and size' } },
        { text: 'Seeing what is in a backup costs nothing; merging needs a plan.' },
        { title: 'What can’t be had, whoever promises it' },
        { text: 'Programs that claim to “recover deleted WhatsApp without backup” read, at best, the same backups.' },
        {
          list: [
            'Messages that are in no backup. The phone’s storage is encrypted; a deleted entry is not left lying about as on an old disk.',
            'Anything from the service itself. It keeps delivered messages for nobody.',
            'Another person’s chats. That is spying, and we don’t help with it.',
          ],
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t give an app full access to the phone because it promises this.',
            'Don’t jailbreak or root for it. You may lose the rest.',
            'Don’t sign in with your number on a third phone. The first one is then signed out.',
          ],
        },
        { title: 'For the next time' },
        {
          text: 'Set backups to daily, with end-to-end encryption, and write the key down. Export what matters twice a year, as PDF or HTML, to a place that is not a phone.',
        },
        { picture: { drawing: 'ferry-export', label: 'A chat is exported with its pictures and dates' } },
        { title: 'Questions' },
        { title: 'The backup says 2 GB, but the chats are empty.', level: 3 },
        { text: 'It was made after the deletion. Look for a local copy of an earlier day.' },
        { title: 'I have forgotten the password of the encrypted backup.', level: 3 },
        { text: 'Then nobody can open it, neither the maker nor we.' },
        { title: 'Does a factory reset delete the cloud’s backup?', level: 3 },
        { text: 'No. Set the phone up with the same account and number, and restore.' },
        { title: 'Can I see who deleted a chat?', level: 3 },
        { text: 'No. A phone keeps no record of that.' },
      ],
    },
  ],
} as const satisfies PageFile;

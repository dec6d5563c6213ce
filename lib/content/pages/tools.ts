import { brands, productLines } from '../../catalog/brands';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { extensionsList, limit } from '../phrases';

const { mendara, chatferry } = brands;

/** Every tool, desktop and online, by the visitor's problem. */
export default {
  name: 'All tools',
  order: 60,
  menus: [{ in: 'online', order: 40 }],
  seo: {
    title: `All tools, by problem | ${mendara.name}`,
    description:
      'Deleted, damaged, doubled or on the wrong phone: find the desktop program or the free online tool for your problem.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'What happened to your file?',
      lead: 'Start from the problem. For each there is a program, and for damaged files a free online tool as well.',
    },
    {
      kind: 'cards',
      tight: true,
      title: 'It is gone',
      lead: 'Deleted, formatted, or the drive shows nothing.',
      cards: [
        {
          title: 'On a Windows PC',
          tile: 'p-recovery',
          text: 'Also cards, sticks and drives that Windows wants to format.',
          actions: [
            { act: 'link', label: 'Data Recovery for Windows', href: '/win-data-recovery' },
            { act: 'link', label: 'Guide', href: '/user-guide/data-recovery-windows' },
          ],
        },
        {
          title: 'On a Mac',
          tile: 'p-recovery',
          text: 'Emptied Trash, external drives, camera cards.',
          actions: [
            { act: 'link', label: 'Data Recovery for Mac', href: '/data-recovery-mac' },
            { act: 'link', label: 'Guide', href: '/user-guide/data-recovery-mac' },
          ],
        },
      ],
    },
    {
      kind: 'cards',
      tone: 'mist',
      columns: 3,
      title: 'It won’t open',
      lead: `One file: online and free. Many files, or files up to ${desktopLimitText}: on your computer.`,
      cards: [
        {
          title: 'A video',
          tile: 't-video',
          text: `Online ${limit('video')}: ${extensionsList('video')}.`,
          actions: [
            { act: 'link', label: 'Repair online', href: onlineTools.video.route },
            { act: 'link', label: 'On your computer', href: '/video-fixer' },
          ],
        },
        {
          title: 'A photo',
          tile: 't-photo',
          text: `Online ${limit('photo')}: ${extensionsList('photo')}.`,
          actions: [
            { act: 'link', label: 'Repair online', href: onlineTools.photo.route },
            { act: 'link', label: 'On your computer', href: '/photo-restoration' },
          ],
        },
        {
          title: 'A document',
          tile: 't-file',
          text: `Online ${limit('file')}: ${extensionsList('file')}.`,
          actions: [
            { act: 'link', label: 'Repair online', href: onlineTools.file.route },
            { act: 'link', label: 'On your computer', href: '/file-fixer' },
          ],
        },
      ],
    },
    {
      kind: 'cards',
      columns: 3,
      title: 'It is in the wrong place',
      lead: 'Too often on one disk, on the old phone, or locked in a PDF.',
      cards: [
        {
          title: 'Four copies of everything',
          tile: 'p-dup',
          text: `${productLines.duplicate.name} finds identical files and similar pictures.`,
          actions: [{ act: 'link', label: 'Duplicate Finder', href: '/file-duplicate-finder' }],
        },
        {
          title: 'Chats on the old phone',
          tile: 'p-ferry',
          text: `${chatferry.name} moves WhatsApp between iPhone and Android.`,
          actions: [{ act: 'link', label: 'WhatsApp Transfer', href: '/whatsapp-transfer' }],
        },
        {
          title: 'A PDF that has to change',
          tile: 'p-pdf',
          text: `${mendara.name} PDF converts and edits.`,
          actions: [{ act: 'link', label: `${mendara.name} PDF`, href: '/pdf-editor' }],
        },
      ],
    },
    {
      kind: 'faq',
      tone: 'mist',
      title: 'Before you do anything',
      more: { label: 'How-to articles', href: '/how-to' },
      questions: [
        {
          question: 'Stop writing to the drive.',
          answer:
            'Every new file can take the place of a lost one. Don’t install, download or copy anything onto the drive that you lost files on.',
        },
        {
          question: 'Don’t format, even when the computer asks.',
          answer: 'Formatting makes the drive usable again, not your files. Say no and scan first.',
        },
        {
          question: 'Keep the damaged original.',
          answer: 'Repair a copy. All our tools leave the original as it is.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

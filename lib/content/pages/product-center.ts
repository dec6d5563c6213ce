import { brands, productLines } from '../../catalog/brands';
import { statistics, support } from '../../catalog/facts';
import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { aboutYears, bothGuarantees, extensionsSummary, fromPrice, limit } from '../phrases';

const { mendara, chatferry } = brands;

/** Store Center: data tools and online tools with buy, know more or try free; statistics; get support. */
export default {
  name: 'Store Center',
  order: 50,
  seo: {
    title: `Store Center: all ${mendara.name} products`,
    description: `Data recovery, duplicate finder, WhatsApp transfer and repair, with plans from ${fromPrice}, and three free online repair tools.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Store Center',
      lead: `Every tool in one place. Plans start at ${fromPrice}; scanning, previewing and the online tools are free.`,
      picture: { drawing: 'select' },
    },
    {
      kind: 'cards',
      tight: true,
      title: 'Data tools',
      lead: 'Programs for your computer.',
      cards: [
        {
          title: 'Data Recovery for Windows',
          tile: 'p-recovery',
          text: 'Finds deleted, formatted and lost files on drives, cards and sticks, and repairs damaged ones.',
          actions: [
            { act: 'link', label: 'Buy now', href: `${productLines.recovery.store}?ufrom=win` },
            { act: 'link', label: 'Know more', href: '/win-data-recovery' },
          ],
        },
        {
          title: 'Data Recovery for Mac',
          tile: 'p-recovery',
          text: 'The same for macOS: internal disks, external drives, cards and an emptied Trash.',
          actions: [
            { act: 'link', label: 'Buy now', href: `${productLines.recovery.store}?ufrom=mac` },
            { act: 'link', label: 'Know more', href: '/data-recovery-mac' },
          ],
        },
        {
          title: productLines.duplicate.shortName,
          tile: 'p-dup',
          text: 'Groups identical files and similar pictures, locks what you keep, clears the rest.',
          actions: [
            { act: 'link', label: 'Buy now', href: productLines.duplicate.store },
            { act: 'link', label: 'Know more', href: '/file-duplicate-finder' },
          ],
        },
        {
          title: chatferry.name,
          tile: 'p-ferry',
          text: 'Moves WhatsApp between iPhone and Android, merges, backs up and exports.',
          actions: [
            { act: 'link', label: 'Buy now', href: productLines.whatsapp.store },
            { act: 'link', label: 'Know more', href: '/whatsapp-transfer' },
          ],
        },
        {
          title: `${mendara.name} Repair`,
          tile: 'p-repair',
          text: 'Videos, photos and documents that won’t open, many at once. Part of Data Recovery.',
          actions: [
            { act: 'link', label: 'Buy now', href: productLines.recovery.store },
            { act: 'link', label: 'Know more', href: '/repair-tool' },
          ],
        },
        {
          title: `${mendara.name} PDF`,
          tile: 'p-pdf',
          text: 'Converts PDF files and edits them.',
          actions: [{ act: 'link', label: 'Know more', href: '/pdf-editor' }],
        },
      ],
    },
    {
      kind: 'cards',
      tone: 'mist',
      columns: 3,
      title: 'Online tools',
      lead: 'In the browser, free, one file at a time.',
      cards: [
        {
          title: 'Video repair',
          tile: 't-video',
          text: `${extensionsSummary('video')}, ${limit('video')}.`,
          actions: [{ act: 'link', label: 'Try free', href: onlineTools.video.route }],
        },
        {
          title: 'Photo repair',
          tile: 't-photo',
          text: `${extensionsSummary('photo')}, ${limit('photo')}.`,
          actions: [{ act: 'link', label: 'Try free', href: onlineTools.photo.route }],
        },
        {
          title: 'File repair',
          tile: 't-file',
          text: `${extensionsSummary('file')}, ${limit('file')}.`,
          actions: [{ act: 'link', label: 'Try free', href: onlineTools.file.route }],
        },
      ],
    },
    {
      kind: 'stats',
      title: `Why people choose ${mendara.name}`,
      visible: true,
      stats: [
        { value: statistics.downloads, label: 'downloads' },
        { value: statistics.users, label: 'users' },
        { value: statistics.countries, label: 'countries' },
        { value: aboutYears, label: 'years of experience' },
      ],
    },
    {
      kind: 'faq',
      tone: 'mist',
      title: 'Get support',
      lead: `${support.hours}, with a reply within ${support.replyHours} hours. Before you buy, too.`,
      more: { label: 'Contact support', href: '/contact-us' },
      questions: [
        {
          question: 'Which product do I need?',
          answer:
            'Is the file gone? Data Recovery. Is it there but won’t open? Repair. Is it there four times? Duplicate Finder. Is it on the old phone? ChatFerry. [All tools by problem](/tools).',
        },
        { question: 'Can I try before I buy?', answer: 'Yes. Every program scans and shows a preview for free.' },
        { question: 'What if it doesn’t help?', answer: bothGuarantees },
      ],
    },
  ],
} as const satisfies PageFile;

import { brands, productLines } from '../../catalog/brands';
import { statistics, support } from '../../catalog/facts';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import { recoveryWindow, seamPicture } from '../common';
import type { PageFile } from '../page';
import { aboutYears, bothGuarantees, deletedWithin, extensionsSummary, fromPrice, limit } from '../phrases';

const { mendara, chatferry } = brands;

export default {
  name: 'Home',
  order: 10,
  seo: {
    title: `${mendara.name}: recover, repair and tidy your files`,
    description:
      'Recover lost files, repair damaged ones, move WhatsApp chats and clear duplicates on Windows and Mac. Scanning and previewing are free.',
  },
  sections: [
    {
      kind: 'hero',
      title: 'Files go missing. Let’s put them back.',
      lead: `${mendara.name} finds deleted files, repairs damaged ones and clears the copies you don’t need, on Windows and Mac. Scan and preview for free, so you see what can be saved before you pay.`,
      actions: [
        { act: 'download', label: 'Windows download', website: 'recovery', os: 'win' },
        { act: 'download', label: 'Mac download', website: 'recovery', os: 'mac' },
      ],
      picture: recoveryWindow,
    },
    {
      kind: 'situations',
      title: 'What went wrong?',
      lead: 'Start from the problem. Each tool does one job.',
      situations: [
        {
          title: '“I deleted it.”',
          text: `**${productLines.recovery.name}** searches drives, memory cards and USB sticks for files that were deleted, formatted away or lost in a crash.`,
          links: [
            { label: 'Windows', href: '/win-data-recovery' },
            { label: 'Mac', href: '/data-recovery-mac' },
          ],
          picture: {
            drawing: 'deleted',
            label: 'Five deleted files found in the emptied recycle bin, four of them intact.',
          },
          span: 7,
          look: 'window',
        },
        {
          title: '“It won’t open.”',
          text: `**${mendara.name} Repair** rebuilds videos, photos and Office documents that show an error, a grey area or nothing at all.`,
          links: [
            { label: 'Repair on your computer', href: '/repair-tool' },
            { label: 'Repair online', href: onlineTools.video.route },
          ],
          picture: {
            drawing: 'wont-open',
            label: 'A video file that showed error 0xc00d36c4 next to its repaired preview, playing.',
          },
          span: 5,
          look: 'window',
        },
        {
          title: '“New phone, old chats.”',
          text: `**${chatferry.name}** moves WhatsApp between iPhone and Android, merges old and new chats and keeps an encrypted backup on your PC.`,
          links: [{ label: 'WhatsApp transfer', href: '/whatsapp-transfer' }],
          picture: { drawing: 'chats', label: 'A chat crossing from an old phone to a new one.' },
          span: 5,
          look: 'ferry',
        },
        {
          title: '“Four copies of everything.”',
          text: `**${productLines.duplicate.name}** groups identical files and similar pictures, keeps the one you lock and shows how much space the rest would free.`,
          links: [{ label: 'Duplicate Finder', href: '/file-duplicate-finder' }],
          picture: {
            drawing: 'copies',
            label:
              'The duplicate finder listing four copies of one photo. The original is locked, three copies are ticked for deletion.',
          },
          span: 7,
          look: 'window',
        },
        {
          title: '“They sent a PDF. I need to edit it.”',
          text: `**${mendara.name} PDF** turns PDF files into documents you can edit, turns documents into PDF, and edits a PDF directly.`,
          links: [{ label: `${mendara.name} PDF`, href: '/pdf-editor' }],
          picture: { drawing: 'pdf', label: 'A PDF page converted to a DOCX page.' },
          span: 12,
          look: 'bare',
        },
      ],
    },
    {
      kind: 'online',
      tone: 'mist',
      title: 'Repair one file right here.',
      lead: `Free, in the browser, nothing to install. Uploads are deleted ${deletedWithin}.`,
      picture: seamPicture,
      rows: [
        {
          href: onlineTools.video.route,
          title: 'Video',
          text: `${extensionsSummary('video')}, ${limit('video')}`,
          tile: 't-video',
        },
        {
          href: onlineTools.photo.route,
          title: 'Photo',
          text: `${extensionsSummary('photo')}, ${limit('photo')}`,
          tile: 't-photo',
        },
        {
          href: onlineTools.file.route,
          title: 'Document',
          text: `PDF, DOCX, PPTX, XLSX and older Office files, ${limit('file')}`,
          tile: 't-file',
        },
      ],
      note: `Larger files, up to ${desktopLimitText}, and many files at once: [${mendara.name} Repair for desktop](/repair-tool).`,
    },
    {
      kind: 'ledger',
      title: 'See it before you pay for it.',
      lead: 'Nobody can promise what is left on a drive. So the free version shows you.',
      sides: [
        {
          title: 'Free',
          price: '$0',
          items: [
            'Download on Windows or Mac',
            'Quick scan and deep scan of every drive you connect',
            'Preview photos, videos and documents before you decide',
          ],
        },
        {
          title: 'Paid',
          price: `From ${fromPrice}`,
          items: [
            'Recover the files you selected to a safe place',
            'Repair damaged photos, videos and documents',
            'AI repair for files that plain repair can’t fix',
          ],
        },
      ],
      more: { label: 'Plans and prices', href: '/data-recovery-store' },
    },
    {
      kind: 'stats',
      tight: true,
      title: `${mendara.name} in numbers`,
      stats: [
        { value: statistics.downloads, label: 'downloads' },
        { value: statistics.countries, label: `countries with ${mendara.name} users` },
        { value: statistics.experts, label: 'experts on the team' },
        { value: aboutYears, label: 'years of experience' },
      ],
    },
    {
      kind: 'faq',
      tone: 'mist',
      title: 'Before you start',
      lead: `Not sure which tool? Support is there around the clock and replies within ${support.replyHours} hours.`,
      more: { label: 'Contact support', href: '/contact-us' },
      questions: [
        {
          question: `Is ${mendara.name} really free to try?`,
          answer:
            'Yes. Downloading, scanning and previewing cost nothing. You pay when you want to recover or repair the files you found.',
        },
        {
          question: 'Can I get back files I deleted permanently?',
          answer:
            'Often. Deleting a file usually removes its entry, not its content, until something new is written over it. Stop using the drive, scan it, and look at the preview: what opens there can be recovered.',
        },
        {
          question: 'My laptop keeps crashing. How do I protect my data?',
          answer:
            'Save as little as possible on it. Connect an external drive, recover or copy your files to that drive, and only then repair or reset the laptop.',
        },
        {
          question: 'What if it doesn’t work for me?',
          answer: `${bothGuarantees} Write to support with your order number.`,
        },
      ],
    },
    {
      kind: 'cta',
      id: 'download',
      title: 'Start with a free scan.',
      lead: `The sooner you scan, the less gets overwritten. Install ${mendara.name} on a different drive from the one you lost files on.`,
      actions: [
        { act: 'download', label: 'Windows download', website: 'recovery', os: 'win' },
        { act: 'download', label: 'Mac download', website: 'recovery', os: 'mac' },
      ],
    },
  ],
} as const satisfies PageFile;

import { brands, productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import { assistanceRows, seamPicture } from '../common';
import type { PageFile } from '../page';
import { buyNow, repairCta, repairName, repairQuestions, screens, store } from '../parts/repair-words';
import { desktopLimit, extensionsList, extensionsSummary, fromPrice, onlineLimits } from '../phrases';

const mainWindow = {
  drawing: 'toolkit',
  label: 'The start screen of Mendara Repair: video, photo and file beside each other, and a queue of twelve files.',
} as const;

/** The file repair toolkit. */
export default {
  name: 'Mendara Repair',
  order: 50,
  menus: [
    { in: 'tools', order: 10, line: 'Video, photo and file repair on your computer', icon: 'p-repair' },
    { in: 'hot', order: 50 },
  ],
  seo: {
    title: `${repairName}: video, photo and file repair on your computer`,
    description: `One toolkit for videos, photos and documents that won’t open. Batch repair, preview, files up to ${desktopLimitText}, on Windows and Mac.`,
  },
  product: { website: 'recovery', os: 'both', name: repairName },
  sections: [
    {
      kind: 'banner',
      product: { name: repairName, tile: 'p-repair' },
      title: 'One toolkit for files that won’t open.',
      lead: 'Videos, photos and documents in one queue. It finds out what each one is and what is wrong with it.',
      actions: [{ act: 'download', label: 'Try free', website: 'recovery' }, buyNow],
      note: `Part of [${productLines.recovery.name}](${store}), for ${requirements.windows} and ${requirements.mac}`,
      picture: mainWindow,
    },
    {
      kind: 'cards',
      columns: 3,
      title: 'What is it?',
      lead: 'Each kind of file breaks in its own way, so each has its own page, and its own free online tool.',
      cards: [
        {
          title: 'A video',
          tile: 't-video',
          text: `Won’t play, stops halfway, has no sound. ${extensionsSummary('video')}.`,
          actions: [
            { act: 'link', label: 'Video repair', href: '/video-fixer' },
            { act: 'link', label: 'Try free online', href: `${onlineTools.video.route}/` },
          ],
        },
        {
          title: 'A photo',
          tile: 't-photo',
          text: `Grey areas, shifted bands, wrong colours. ${extensionsSummary('photo')}.`,
          actions: [
            { act: 'link', label: 'Photo repair', href: '/photo-restoration' },
            { act: 'link', label: 'Try free online', href: `${onlineTools.photo.route}/` },
          ],
        },
        {
          title: 'A document',
          tile: 't-file',
          text: `Reports an error or opens empty. ${extensionsSummary('file')}.`,
          actions: [
            { act: 'link', label: 'File repair', href: '/file-fixer' },
            { act: 'link', label: 'Try free online', href: `${onlineTools.file.route}/` },
          ],
        },
      ],
    },
    {
      kind: 'steps',
      tone: 'mist',
      title: 'The same four steps for every file.',
      lead: 'Add, automatic scan and repair, preview, save to download.',
      steps: [
        { title: 'Add', text: 'Drop in files of any kind, all at once.', picture: { drawing: 'photo-add' } },
        { title: 'Scan and repair', text: 'Runs by itself, on copies.', picture: { drawing: 'photo-run' } },
        { title: 'Preview', text: 'Play, look or read before you save.', picture: { drawing: 'photo-look' } },
        { title: 'Save', text: 'Save to download the repaired files.', picture: { drawing: 'photo-save' } },
      ],
    },
    {
      kind: 'gallery',
      title: 'One window for each kind.',
      name: repairName,
      screens: [screens.video, screens.photo, screens.file],
    },
    {
      kind: 'lists',
      tone: 'mist',
      title: 'What comes in, what comes out.',
      devices: {
        title: 'Damaged by',
        items: [
          { icon: 'memory-stick', label: 'Card pulled too early' },
          { icon: 'download', label: 'Download broke off' },
          { icon: 'laptop', label: 'Crash while saving' },
          { icon: 'hard-drive', label: 'Failing disk' },
          { icon: 'camera', label: 'Empty battery' },
          { icon: 'usb', label: 'Stick not ejected' },
          { icon: 'folder', label: 'Sync conflict' },
          { icon: 'search', label: 'Recovered in parts' },
        ],
      },
      types: {
        title: 'File types',
        groups: [
          { name: 'Video', list: extensionsList('video') },
          { name: 'Photo', list: extensionsList('photo') },
          { name: 'File', list: extensionsList('file') },
        ],
      },
    },
    {
      kind: 'online',
      title: 'Only one file? Stay in the browser.',
      lead: 'The online tools are free. They have no batch repair, no preview and no technical assistance.',
      picture: seamPicture,
      rows: [
        {
          href: onlineTools.video.route,
          title: 'Video online',
          text: `Under ${onlineTools.video.limitText}`,
          tile: 't-video',
        },
        {
          href: onlineTools.photo.route,
          title: 'Photo online',
          text: `Under ${onlineTools.photo.limitText}`,
          tile: 't-photo',
        },
        {
          href: onlineTools.file.route,
          title: 'File online',
          text: `Under ${onlineTools.file.limitText}`,
          tile: 't-file',
        },
      ],
    },
    {
      kind: 'compare',
      tight: true,
      title: 'Online or on your computer?',
      caption: 'The online tools compared with the desktop toolkit',
      columns: ['Type', 'Online', 'Desktop'],
      rows: [
        { name: 'File size', values: [onlineLimits, desktopLimit] },
        ...assistanceRows,
        { name: 'AI repair', values: [false, true] },
        { name: 'Price', values: ['Free', `Free to try, plans from ${fromPrice}`] },
      ],
    },
    {
      kind: 'questions',
      tight: true,
      title: 'Questions and specifications',
      questions: [
        {
          question: 'Are my files uploaded?',
          answer:
            'Not by the desktop toolkit. It works on your computer. Only the online tools upload, and they delete the file again. [The guide](/user-guide/repair) says when to use which.',
        },
        {
          question: 'Is the original changed?',
          answer: 'No. Every repair works on a copy, and you choose where the result is saved.',
        },
        ...repairQuestions,
      ],
      specifications: [
        { name: 'Windows', value: requirements.windows },
        { name: 'Mac', value: requirements.mac },
        { name: 'Video', value: extensionsList('video') },
        { name: 'Photo', value: extensionsList('photo') },
        { name: 'File', value: extensionsList('file') },
        { name: 'File size', value: desktopLimit },
      ],
    },
    repairCta(`Bring it all to ${brands.mendara.name}.`, 'Download, drop everything in, and see what comes back.'),
  ],
} as const satisfies PageFile;

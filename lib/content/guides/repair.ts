import { brands } from '../../catalog/brands';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import type { GuideFile } from '../page';
import { guideHead } from '../parts/guide-words';
import { deletedWithin, extensionsList, limit } from '../phrases';

export default {
  name: 'Guide to Repair',
  order: 40,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    related: [
      '/how-to/interrupted-recording',
      '/how-to/half-grey-photo',
      '/how-to/pdf-will-not-open',
      '/how-to/fix-video-playback-errors',
      '/how-to/open-a-corrupt-document',
      '/user-guide/data-recovery-windows',
      '/user-guide/data-recovery-mac',
      '/repair-tool',
      '/repair-results',
      '/video-repair-online',
      '/photo-restoration-online',
      '/corrupted-file-recovery-online',
    ],
  },
  card: {
    title: `${brands.mendara.name} Repair`,
    tile: 'p-repair',
    text: 'Videos, photos and documents, online and on your computer.',
    label: 'Open the repair guide',
  },
  seo: {
    title: `Guide: ${brands.mendara.name} Repair, online and on your computer`,
    description:
      'How to repair videos, photos and documents with the free online tools or the desktop toolkit, and how to read the report.',
  },
  sections: [
    guideHead(
      `${brands.mendara.name} Repair`,
      'p-repair',
      'First find out whether the file is damaged at all: copy it again, and open it elsewhere. One small file is repaired online, free. Several, or large ones, are a case for the program on your computer, which also shows a preview.',
    ),
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Is it damaged?' },
        {
          list: [
            'Copy the file again from where it came from. A broken copy is the most frequent cause.',
            'Open it with another program or on another computer.',
            'If the file is 0 KB large, there is nothing in it to repair. Look for another copy, or try [data recovery](/win-data-recovery).',
            'Does it ask for a password? Then it is in order.',
          ],
          ordered: true,
        },
        { title: 'Online or on your computer' },
        {
          table: {
            caption: 'When to use which',
            columns: ['Kind', 'Online, free', 'On your computer'],
            rows: [
              [
                'Video',
                `[One file](${onlineTools.video.route}), ${limit('video')}`,
                `Many files, up to ${desktopLimitText}`,
              ],
              [
                'Photo',
                `[One file](${onlineTools.photo.route}), ${limit('photo')}`,
                `Many files, up to ${desktopLimitText}`,
              ],
              [
                'File',
                `[One file](${onlineTools.file.route}), ${limit('file')}`,
                `Many files, up to ${desktopLimitText}`,
              ],
              ['Preview', 'No', 'Yes'],
              ['Technical assistance', 'No', 'Yes'],
            ],
          },
        },
        { title: 'Repair online' },
        {
          list: [
            'Open the tool for your kind of file and drop the file onto the box.',
            'Wait. You can close the page and come back to the same address. When others are before you, the page says how many and about how long.',
            'Download the result and read the report below it.',
            `Delete both at once if you like. Otherwise they are deleted ${deletedWithin}.`,
          ],
          ordered: true,
        },
        { picture: { drawing: 'video-run', label: 'A repair under way, with how far it has come' } },
        {
          text: 'Your files of the last hours are listed on the page, in this browser only, so that you can fetch or delete them.',
        },
        { title: 'When the report asks for a sample' },
        {
          text: 'Some videos have lost what says how they were recorded. A working video from the same camera, with the same resolution and frame rate, tells it. Add it where the page asks for it; the broken file need not be sent again. [More on such videos](/how-to/interrupted-recording).',
        },
        {
          picture: {
            drawing: 'g-sample',
            label: 'A working video of the same camera lends its description to the broken one',
          },
        },
        { title: 'Repair on your computer' },
        {
          list: [
            `[Download](/download) and install ${brands.mendara.name} Repair, or open Repair within Data Recovery.`,
            '**Add** files, of one kind or mixed.',
            '**Scan and repair** run automatically, one file after the other.',
            '**Preview** each result: play it, look at it, read it.',
            '**Save** to put it into a folder of your choice. The original stays as it is.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'win-repair',
            label: 'A damaged photo before and after the repair, in the window of the program',
          },
        },
        { text: 'Saving results needs a plan; scan and preview don’t.' },
        { title: 'Plain repair and AI repair' },
        {
          text: 'Plain repair uses only what is in the file. It makes indexes anew, finds wrong bits, and puts parts back in their places. AI repair may then fill what is missing in a photo with a best guess. The guess is framed in the preview, so that you know which part is a photo and which part is not.',
        },
        { picture: { drawing: 'photo-ai', label: 'A photo after AI repair: the part that was guessed has a frame' } },
        { text: 'For evidence, for documents, for anything that must be true, use plain repair alone.' },
        { title: 'Read the report' },
        {
          list: [
            '**Healthy**: nothing was wrong. You get the file back unchanged.',
            '**Repaired**: all content was kept.',
            '**Partly repaired**: something is lost, and the report says what.',
            '**Not repairable**: too little is left. The report says why.',
          ],
        },
        {
          picture: {
            drawing: 'file-report',
            label: 'The report of a workbook: all sheets are whole but one, whose lost rows are named',
          },
        },
        {
          text: 'Each line has a number where it can: frames, pixels, words, cells, pages. Before you rely on a result, look at the places that the report calls lost.',
        },
        { title: 'Formats' },
        {
          text: 'The kind is told by the content, not by the name. A JPEG called .nef is repaired as a JPEG, and the report says so.',
        },
        {
          list: [
            `Video: ${extensionsList('video')}`,
            `Photo: ${extensionsList('photo')}`,
            `File: ${extensionsList('file')}`,
          ],
        },
        { title: 'Licence of the desktop program' },
        {
          text: 'Paste the code under Licence in the menu. It is in the mail after your purchase and in [your account](/account); the online tools need none.',
        },
        { title: 'Troubles' },
        { title: 'The upload stops', level: 3 },
        { text: 'The page says that it stopped and keeps your file. When the network is back, press Send again.' },
        { title: '“This file is too large”', level: 3 },
        { text: `Then it is a case for the desktop program, which takes up to ${desktopLimitText}.` },
        { title: 'The result doesn’t play on my television', level: 3 },
        {
          text: 'Televisions take few formats. Does it play on the computer? Then it is in order; convert it for the television.',
        },
        { title: 'It is called healthy, and I see a fault', level: 3 },
        {
          text: 'Tell us, please: [send a message](/contact-us) with the number of the report. Each such file makes the tool better.',
        },
      ],
    },
  ],
} as const satisfies GuideFile;

import { brands } from '../../catalog/brands';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import type { GuideFile } from '../page';
import { guideHead, licenceBlocks } from '../parts/guide-words';
import { deletedWithin, extensionsList, limit } from '../phrases';

const name = `${brands.mendara.name} Repair`;

export default {
  name: 'Guide to Repair',
  order: 40,
  card: {
    title: `${brands.mendara.name} Repair`,
    tile: 'p-repair',
    text: 'Videos, photos and documents, online and on your computer.',
    label: 'Open the repair guide',
  },
  seo: {
    title: `Guide: ${name}, online and on your computer`,
    description:
      'How to repair videos, photos and documents with the free online tools or the desktop toolkit, and how to read the report.',
  },
  sections: [
    guideHead(name, 'p-repair', 'First find out whether the file is damaged at all. Then choose the shorter way.'),
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
            'Wait. You can close the page and come back to the same address.',
            'Download the result and read the report below it.',
            `Delete both at once if you like. Otherwise they are deleted ${deletedWithin}.`,
          ],
          ordered: true,
        },
        { title: 'Repair on your computer' },
        {
          list: [
            '**Add** files, of one kind or mixed.',
            '**Scan and repair** run automatically.',
            '**Preview** each result: play it, look at it, read it.',
            '**Save** to download it into a folder of your choice. The original stays as it is.',
          ],
          ordered: true,
        },
        { title: 'Read the report' },
        {
          list: [
            '**Healthy**: nothing was wrong. You get the file back unchanged.',
            '**Repaired**: all content was kept.',
            '**Partly repaired**: something is lost, and the report says what.',
            '**Not repairable**: too little is left. The report says why.',
          ],
        },
        { title: 'Formats' },
        {
          list: [
            `Video: ${extensionsList('video')}`,
            `Photo: ${extensionsList('photo')}`,
            `File: ${extensionsList('file')}`,
          ],
        },
        ...licenceBlocks,
      ],
    },
  ],
} as const satisfies GuideFile;

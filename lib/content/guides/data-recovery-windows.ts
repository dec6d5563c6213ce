import { productLines } from '../../catalog/brands';
import { requirements, statistics } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead, licenceBlocks } from '../parts/guide-words';

const name = `${productLines.recovery.name} for Windows`;

export default {
  name: 'Guide to Data Recovery for Windows',
  order: 10,
  card: {
    title: 'Data Recovery for Windows',
    tile: 'p-recovery',
    text: 'Choose a place, scan, preview, recover.',
    label: 'Open the Windows guide',
  },
  seo: {
    title: `Guide: ${name}`,
    description: `How to install ${name}, choose a place, scan, preview and recover, and what to do if a file comes back damaged.`,
  },
  sections: [
    guideHead(name, 'p-recovery', 'Twenty minutes of reading saves hours of scanning. The order of the steps matters.'),
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Before you start' },
        {
          note: 'Don’t install anything on the drive you lost files on, and don’t save anything to it. Every new file can take the place of a lost one.',
          tone: 'warn',
        },
        {
          list: [
            `Your system: ${requirements.windows}, or ${requirements.windowsServer}.`,
            'A second drive with enough room for what you want to recover: a USB stick or an external disk will do.',
            'A card or stick goes into a reader or a port. Leave it connected until you are done.',
          ],
        },
        { title: 'Install' },
        {
          list: [
            '[Download](/download) the installer for Windows.',
            'Open it and choose a folder on a drive you have not lost files on.',
            'Start the program. It asks for permission to read drives: allow it, it only reads.',
          ],
          ordered: true,
        },
        { title: 'Choose where to look' },
        {
          text: 'The first screen shows drives and places. Choose the place the files were in: the recycle bin, a folder, or the whole drive if you are not sure. A drive that Windows can’t read is listed too, often as “not readable”.',
        },
        { title: 'Scan' },
        {
          list: [
            '**Quick scan** starts by itself. It reads the list of files, deleted ones included, and takes moments.',
            '**Deep scan** goes on from there. It reads the drive sector by sector and recognises files by their content. On a large disk it takes hours; you can pause it and go on later.',
          ],
        },
        { text: `The scan recognises ${statistics.fileTypesWindows} file types. Results appear while it runs.` },
        { title: 'Preview and select' },
        {
          list: [
            'Filter by type, by date or by folder, or search for a part of the name.',
            'Click a file to open its preview. What opens there can be recovered.',
            'Tick single files or whole folders.',
          ],
          ordered: true,
        },
        { title: 'Recover' },
        {
          text: 'Press Recover and choose a folder on a **different** drive. Up to here everything was free; recovering needs a [plan](/data-recovery-store).',
        },
        { title: 'If a file comes back damaged' },
        {
          text: 'Open Repair in the same window. Plain repair puts in order what is there. AI repair fills gaps with a best guess and frames it, so compare before you save. More in the [repair guide](/user-guide/repair).',
        },
        ...licenceBlocks,
      ],
    },
  ],
} as const satisfies GuideFile;

import { productLines } from '../../catalog/brands';
import { requirements, statistics } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead, licenceBlocks } from '../parts/guide-words';

const name = `${productLines.recovery.name} for Mac`;

export default {
  name: 'Guide to Data Recovery for Mac',
  order: 20,
  card: {
    title: 'Data Recovery for Mac',
    tile: 'p-recovery',
    text: 'Permissions, scan, preview, recover.',
    label: 'Open the Mac guide',
  },
  seo: {
    title: `Guide: ${name}`,
    description: `How to install ${name}, give it permission to read, scan, preview and recover from the Trash, cards and drives.`,
  },
  sections: [
    guideHead(name, 'p-recovery', 'Most of it runs by itself. Two permissions and a second drive are up to you.'),
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Before you start' },
        {
          note: 'Work as little as possible on the Mac until you are done. Saving, downloading and even browsing write to the internal disk.',
          tone: 'warn',
        },
        {
          list: [
            `Your system: ${requirements.mac}.`,
            'An external drive for the program, if the files were on the internal disk, and for what you recover.',
          ],
        },
        { title: 'Install and allow reading' },
        {
          list: [
            '[Download](/download) the installer for Mac and open it.',
            'Move the program to an external drive, or to Applications if the files were lost elsewhere.',
            'At the first start macOS asks for access to the disk. Allow it in System Settings under Privacy & Security, then start the program again.',
          ],
          ordered: true,
        },
        { title: 'Choose a location' },
        { text: 'Pick the Trash, a folder, the internal disk, or a drive or card that is connected.' },
        { title: 'Scan and preview' },
        {
          text: `The quick scan lists deleted files with their names; the deep scan reads the whole drive and recognises ${statistics.fileTypesMac} file types by their content. Filter by type, and press the space bar on a file to see its preview.`,
        },
        { title: 'Select and recover' },
        {
          text: 'Tick what you need and press Recover. Choose the external drive, not the one you are scanning. Recovering needs a [plan](/data-recovery-store?ufrom=mac); everything before is free.',
        },
        ...licenceBlocks,
      ],
    },
  ],
} as const satisfies GuideFile;

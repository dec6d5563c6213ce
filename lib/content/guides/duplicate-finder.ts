import { productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead, licenceBlocks } from '../parts/guide-words';

const { name, store } = productLines.duplicate;

export default {
  name: 'Guide to Duplicate Finder',
  order: 30,
  card: {
    title: 'Duplicate Finder',
    tile: 'p-dup',
    text: 'Choose folders, scan, lock, delete.',
    label: 'Open the duplicates guide',
  },
  seo: {
    title: `Guide: ${name}`,
    description:
      'How to choose folders, set a size range and ignored folders, read the groups, lock files, select by rule and delete copies.',
  },
  sections: [
    guideHead(name, 'p-dup', 'Ten minutes to set the rules once. After that a scan is three clicks.'),
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Before you start' },
        {
          list: [
            `Your system: ${requirements.duplicateWindows} or ${requirements.duplicateMac}.`,
            'A backup of what you can’t do without. Not because the program deletes by itself, but because you will delete.',
          ],
        },
        { title: 'Choose folders' },
        {
          list: [
            'Add one or several folders, also from different drives.',
            'Set a **size range**, such as 1 MB to 2 GB, to leave out thousands of tiny files.',
            'Add **ignored folders**: system folders, archives, folders that another program manages.',
          ],
          ordered: true,
        },
        { title: 'Compare two folders' },
        {
          text: 'Cross-folder compare puts one folder on the left and another on the right. It shows what is in both and what is only on one side, for instance before you delete an old backup.',
        },
        { title: 'Read the groups' },
        {
          text: 'Each group is one content with all its places. Sort the groups by **name**, **size**, **count** (how many copies) or **space** (how much the copies take). Click a file to see it.',
        },
        { title: 'Similar pictures' },
        {
          text: 'Pictures that only look alike are listed apart. Move the slider from loose to strict until the groups make sense, and let the sharpest, the largest or the oldest be proposed.',
        },
        { title: 'Lock and select' },
        {
          list: [
            '**Lock** what must stay. A locked file is never selected and never deleted.',
            'Choose a rule for the rest: keep the oldest, the newest, or the one in a folder you name. The others are selected by themselves.',
            'Look through the selection. You can change every tick.',
          ],
          ordered: true,
        },
        { title: 'Delete' },
        {
          text: `Selected copies go to the recycle bin or the Trash, so a mistake can be undone. At least one copy of each group stays. Deleting needs a [plan](${store}).`,
        },
        ...licenceBlocks,
      ],
    },
  ],
} as const satisfies GuideFile;

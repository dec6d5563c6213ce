import { productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead } from '../parts/guide-words';

export default {
  name: 'Guide to Duplicate Finder',
  order: 30,
  changed: '2026-11-22',
  text: { published: '2026-11-20', related: ['/how-to/free-space-without-losing-anything', '/file-duplicate-finder'] },
  card: {
    title: 'Duplicate Finder',
    tile: 'p-dup',
    text: 'Choose folders, scan, lock, delete.',
    label: 'Open the duplicates guide',
  },
  seo: {
    title: `Guide: ${productLines.duplicate.name}`,
    description:
      'How to choose folders, set a size range and ignored folders, read the groups, lock files, select by rule and delete copies.',
  },
  sections: [
    guideHead(
      `${productLines.duplicate.name}`,
      'p-dup',
      'Add folders, scan, lock what must stay, let a rule select the rest, and delete to the bin. One copy of each group always stays. Setting the rules takes ten minutes once; after that a scan is three clicks.',
    ),
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Before you start' },
        {
          list: [
            `Your system: ${requirements.duplicateWindows} or ${requirements.duplicateMac}.`,
            'A backup of what you can’t do without. Not because the program deletes by itself, but because you will delete.',
            'The drives you want to compare, all connected at the same time.',
          ],
        },
        { title: 'Install' },
        {
          text: '[Download](/download) the installer for your system, open it, and follow its two screens. On a Mac allow access to the folders that you are going to scan: macOS asks for each kind, such as Desktop, Documents or external drives.',
        },
        { title: 'Choose folders' },
        { picture: { drawing: 'dup-choose', label: 'Three folders to choose from, two of them ticked' } },
        {
          text: 'Start small. Photos and Downloads are a good first pair; a whole disk gives more groups than anybody reads.',
        },
        {
          list: [
            'Add one or several folders, also from different drives.',
            'Set a **size range**, such as 1 MB to 2 GB, to leave out thousands of tiny files.',
            'Add **ignored folders**: system folders, archives, folders that another program manages.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'dup-limits', label: 'The size range and the list of ignored folders' } },
        { title: 'Scan' },
        {
          text: 'The program compares what is in the files. Two of them count as copies when their content is the same, whatever their names, dates and places say. How long that takes depends on how much there is to read: a size range and ignored folders shorten it more than anything else.',
        },
        { picture: { drawing: 'dup-scan', label: 'A scan at 70 percent, with the number of copies found so far' } },
        { title: 'Read the groups' },
        {
          text: 'Each group is one content with all its places. Sort the groups by **name**, **size**, **count** (how many copies) or **space** (how much the copies take). Space is the order in which it pays to work. Click a file to see it. Pictures, films and text open in the preview; for all others you see place, size and day.',
        },
        { picture: { drawing: 'dup-window', label: 'Groups of copies, sorted by the space that they take' } },
        { title: 'Compare two folders' },
        {
          text: 'Cross-folder compare puts one folder on the left and another on the right. It shows what is in both and what is only on one side. Use it before you throw an old backup away: if nothing is only on its side, you lose nothing.',
        },
        {
          picture: {
            drawing: 'dup-cross',
            label: 'Two folders side by side: what is in both, and what is in one of them only',
          },
        },
        { title: 'Similar pictures' },
        {
          text: 'Pictures that only look alike are listed apart: bursts, edited versions, the same view twice. Move the slider from loose to strict until the groups make sense, and let the sharpest, the largest or the oldest be proposed. The proposal is a proposal; look at each group.',
        },
        { picture: { drawing: 'dup-similar', label: 'Pictures that look alike, with the sharpest one proposed' } },
        { title: 'Lock and select' },
        {
          list: [
            '**Lock** what must stay. A locked file is never selected and never deleted, whatever the rule says. You can lock single files or a folder with all in it.',
            'Choose a rule for the rest. Oldest, newest, or “in this folder” says which one stays; the program selects all others of the group.',
            'Look through the selection. You can change every tick.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'dup-rules',
            label: 'The rule keeps the oldest of each group; locked files have a small lock',
          },
        },
        { text: 'Begin with the groups that take most space. A hundred small copies free less than one film.' },
        { title: 'Delete' },
        {
          text: `Selected copies go to the recycle bin or the Trash, so a mistake can be undone. At least one copy of each group stays, even if you tick all. Finding copies and looking at them is free; for deleting you need a [plan](${productLines.duplicate.store}). Leave the bin as it is for some days. The space is yours when you empty it.`,
        },
        { title: 'What to leave out' },
        { text: 'Put these among the ignored folders:' },
        {
          list: [
            'Folders of the system and of programs. Copies in there are meant to be there.',
            'Cloud folders whose files are not on your disk. They would have to be fetched first.',
            'Libraries of photo and mail programs. Delete inside the program instead, or it loses its index.',
          ],
        },
        { title: 'Licence' },
        {
          text: 'Choose Licence in the menu and paste the code from the mail; it is also kept in [your account](/account). One plan covers Windows or Mac, as its name says.',
        },
        { title: 'Troubles' },
        { title: 'The scan finds fewer copies than I expected', level: 3 },
        {
          text: 'Look at the size range and the ignored folders. And two pictures may look the same without being so: use Similar pictures.',
        },
        { title: '“This file is in use”', level: 3 },
        { text: 'Another program holds it. Close that program, or skip the file; it stays where it is.' },
        { title: 'I deleted the wrong copy', level: 3 },
        {
          text: 'Take it back from the bin. If the bin is empty, stop using the drive and [read this](/how-to/recover-permanently-deleted-files).',
        },
        { title: 'My question isn’t here', level: 3 },
        { text: '[Write to support](/contact-us) with the step you were at. A picture of the window helps most.' },
      ],
    },
  ],
} as const satisfies GuideFile;

import { productLines } from '../../catalog/brands';
import { requirements, statistics, support } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead } from '../parts/guide-words';

export default {
  name: 'Guide to Data Recovery for Windows',
  order: 10,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    related: [
      '/how-to/recover-permanently-deleted-files',
      '/how-to/drive-asks-to-be-formatted',
      '/how-to/protect-data-on-a-crashing-laptop',
      '/user-guide/repair',
      '/win-data-recovery',
    ],
  },
  card: {
    title: 'Data Recovery for Windows',
    tile: 'p-recovery',
    text: 'Choose a place, scan, preview, recover.',
    label: 'Open the Windows guide',
  },
  seo: {
    title: `Guide: ${productLines.recovery.name} for Windows`,
    description: `How to install ${productLines.recovery.name} for Windows, choose a place, scan, preview and recover, and what to do if a file comes back damaged.`,
  },
  sections: [
    guideHead(
      `${productLines.recovery.name} for Windows`,
      'p-recovery',
      'Install it on a drive on which nothing was lost, scan the place where the files were, look at the preview, and save to another drive. Everything up to saving is free. The order of the steps matters.',
    ),
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
            'A laptop needs its power supply. A deep scan takes longer than a battery.',
          ],
        },
        { title: 'Install' },
        {
          text: 'If the only disk is the one with the lost files, put the installer on a stick and install it to that stick as well.',
        },
        {
          list: [
            '[Download](/download) the installer for Windows. The page shows its size and check sum, so you can make sure that it is ours.',
            'Open it and choose a folder on a drive you have not lost files on.',
            'Start the program. It asks for permission to read drives: allow it, it only reads.',
          ],
          ordered: true,
        },
        { title: 'Choose where to look' },
        {
          picture: {
            drawing: 'win-drives',
            label: 'The first screen: drives, cards and places such as the recycle bin, each with its size',
          },
        },
        {
          text: 'The first screen shows drives and places. Choose the place the files were in: the recycle bin, a folder, or the whole drive if you are not sure. A drive that Windows can’t read is listed too, often as “not readable”. Its size tells you which one it is, when it has lost its name. Is a drive missing in the list? Close the program, connect the drive directly, without a hub, and start again.',
        },
        { title: 'Scan' },
        {
          list: [
            '**Quick scan** starts by itself. It reads the list of files, deleted ones included, and takes moments. Names and folders come along.',
            '**Deep scan** goes on from there. It reads the drive sector by sector and recognises files by their content. On a large disk it takes hours; you can pause it and go on later.',
          ],
        },
        {
          picture: {
            drawing: 'scans',
            label:
              'Quick scan and deep scan side by side: the deep one finds three times as many files and takes longer',
          },
        },
        {
          text: `The scan recognises ${statistics.fileTypesWindows} file types. Results appear while it runs, so you can look at the first ones at once. Don’t use the computer for other things meanwhile if it is its own disk that you scan.`,
        },
        { title: 'Preview and select' },
        {
          list: [
            'Filter by type, by date or by folder, or search for a part of the name.',
            'Click a file to open its preview. What opens there can be recovered.',
            'Tick single files or whole folders. Make sure that the second drive has room for them.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'preview', label: 'A photo in the preview, beside the list of files that were found' } },
        {
          text: 'Files found by content have names such as “photo 0412”. Sort those by date or size, and use large previews.',
        },
        { title: 'Recover' },
        {
          text: 'Press Recover and choose a folder on a **different** drive. Up to here everything was free; recovering needs a [plan](/data-recovery-store). That is the one rule that no program can make up for.',
        },
        {
          picture: {
            drawing: 'win-recovering',
            label: 'Files are being saved to another drive, with their number and the time that is left',
          },
        },
        {
          text: 'When it is done, open some files before you close the window. Look at old and new ones, small and large ones.',
        },
        { title: 'If a file comes back damaged' },
        {
          text: 'Open Repair in the same window. Plain repair puts in order what is there. AI repair fills gaps with a best guess and frames it, so compare before you save. Videos, photos and documents each have their own way; the [repair guide](/user-guide/repair) goes through them.',
        },
        { title: 'Your licence' },
        {
          list: [
            'Copy the code from the mail that came with the purchase. It also stands in [your account](/account), under My products.',
            'Choose Licence in the menu of the program and paste it.',
            'The name of the plan and its last day appear in the same place.',
          ],
          ordered: true,
        },
        { title: 'Troubles' },
        { title: 'The scan stands still', level: 3 },
        {
          text: 'A drive that reads badly makes every scan slow. Let it run overnight if it makes no noises. If it clicks or vanishes, switch it off: it needs a laboratory.',
        },
        { title: 'The program is refused by an antivirus', level: 3 },
        {
          text: 'Reading a whole drive looks suspicious to some. Allow it for this program, if you have downloaded it here.',
        },
        { title: 'Nothing was found', level: 3 },
        {
          text: 'Then the places were written over or cleared by the disk itself. Solid-state disks do that soon after deleting. [More on that](/how-to/recover-permanently-deleted-files).',
        },
        { title: 'Something else', level: 3 },
        {
          text: `Look into the [answers](/faq), or [write to us](/contact-us): which drive, which system, what you did and what you saw. You get a reply within ${support.replyHours} hours.`,
        },
      ],
    },
  ],
} as const satisfies GuideFile;

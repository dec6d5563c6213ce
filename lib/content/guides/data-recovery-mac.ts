import { productLines } from '../../catalog/brands';
import { requirements, statistics } from '../../catalog/facts';
import type { GuideFile } from '../page';
import { guideHead } from '../parts/guide-words';

export default {
  name: 'Guide to Data Recovery for Mac',
  order: 20,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    related: [
      '/how-to/recover-permanently-deleted-files',
      '/how-to/memory-card-error',
      '/user-guide/repair',
      '/data-recovery-mac',
    ],
  },
  card: {
    title: 'Data Recovery for Mac',
    tile: 'p-recovery',
    text: 'Permissions, scan, preview, recover.',
    label: 'Open the Mac guide',
  },
  seo: {
    title: `Guide: ${productLines.recovery.name} for Mac`,
    description: `How to install ${productLines.recovery.name} for Mac, give it permission to read, scan, preview and recover from the Trash, cards and drives.`,
  },
  sections: [
    guideHead(
      `${productLines.recovery.name} for Mac`,
      'p-recovery',
      'Allow the program to read the disk, choose where the files were, scan, look, and save to an external drive. Scan and preview cost nothing. Two permissions and a second drive are up to you.',
    ),
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
          text: 'Look into Time Machine before anything else, if you use it: open the folder, enter Time Machine, go back a day. That is the shortest way there is.',
        },
        {
          list: [
            `Your system: ${requirements.mac}.`,
            'An external drive for what you recover, and for the program if the files were on the internal disk.',
            'Time Machine switched off for today, so that it doesn’t write to the drive you want to scan.',
          ],
        },
        { title: 'Install and allow reading' },
        {
          list: [
            '[Download](/download) the installer for Mac and open it.',
            'Move the program to an external drive, or to Applications if the files were lost elsewhere.',
            'At the first start macOS asks whether you want to open a program from the internet. Confirm.',
            'It then asks for access to the disk. Open System Settings, Privacy & Security, Full Disk Access, and switch the program on.',
            'Start the program again. Without this second start the permission doesn’t count.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'mac-window',
            label: 'The window of the program on a Mac: photos that were found, and one in the preview',
          },
        },
        {
          text: 'Newer Macs encrypt their internal disk and limit what any program may read of it. For files lost there, look into Time Machine and the cloud first; cards, sticks and external disks have no such limits.',
        },
        { title: 'Choose a location' },
        {
          picture: {
            drawing: 'mac-drives',
            label: 'Drives and places of a Mac: the Trash, folders, the internal disk, a card',
          },
        },
        {
          text: 'Pick the Trash, a folder, the internal disk, or a drive or card that is connected. If you know the folder, choose the folder: the list gets shorter, and you find things sooner. Connect an external disk before you start the program, and directly, without a hub.',
        },
        { title: 'Scan' },
        {
          text: `The quick scan lists deleted files with their names; the deep scan reads the whole drive and recognises ${statistics.fileTypesMac} file types by their content. Look at the results while it runs.`,
        },
        { picture: { drawing: 'mac-scan', label: 'A scan under way, with the files found so far' } },
        {
          text: 'Turn off sleep for as long as it runs: System Settings, Displays, Advanced. A Mac that sleeps lets the drive go.',
        },
        { title: 'Preview and filter' },
        {
          list: [
            'Filter by type: pictures, videos, documents, mail, archives.',
            'Press the space bar on a file to see its preview, as in the Finder.',
            'Use the search for a part of the name. Files found by content have no names; sort them by day.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'mac-filter',
            label: 'The filter shows photos and documents only; a contract is open in the preview',
          },
        },
        {
          text: 'iPhoto and Photos keep pictures in a library, which is a folder in disguise. Lost pictures of a library come back one by one, without albums.',
        },
        { title: 'Recover' },
        {
          text: 'Tick what you need and press Recover. Choose the external drive, not the one you are scanning. Saving is the step that takes a [plan](/data-recovery-store?ufrom=mac); what came before did not.',
        },
        { picture: { drawing: 'mac-recovering', label: 'Files are being saved to an external drive' } },
        { text: 'Open a few of them at once, from the external drive. Then use the Mac as always.' },
        { title: 'A damaged file' },
        {
          text: 'Choose Repair above the list. Photos, videos and documents go through the same steps there as in [Repair on its own](/user-guide/repair): plain repair first, AI repair where pixels are missing, and you compare before you save.',
        },
        { title: 'Enter the licence' },
        {
          list: [
            'Open the program’s menu and choose Licence.',
            'Paste the code. You find it in the mail after the purchase, and at any time [in your account](/account).',
            'The badge beside the product in your account turns from Not activated to Active.',
          ],
          ordered: true,
        },
        { title: 'Troubles' },
        { title: '“Operation not permitted”', level: 3 },
        { text: 'Full Disk Access is missing, or the program was not started anew after you gave it.' },
        { title: 'The external disk disappears during the scan', level: 3 },
        { text: 'The cable or the power. Use the cable that came with the disk, at the Mac itself.' },
        { title: 'FileVault is on. Does it work?', level: 3 },
        {
          text: 'On the running Mac, with you signed in, yes. A FileVault disk in another Mac needs its password first.',
        },
        { title: 'It found thousands of files that I never had', level: 3 },
        { text: 'Web pages and programs keep pictures, too. Filter by size: above 200 KB most of those are gone.' },
        { title: 'I need help', level: 3 },
        {
          text: '[Ask us](/contact-us), with the version of macOS and what stands in the window. Many answers are in the [FAQs](/faq) already.',
        },
      ],
    },
  ],
} as const satisfies GuideFile;

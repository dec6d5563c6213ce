import { brands, productLines } from '../../catalog/brands';
import { requirements, statistics } from '../../catalog/facts';
import { onlineOrDesktop, recoveryWindow, repairSize, seamPicture } from '../common';
import type { PageFile } from '../page';
import { windowsGuarantee, windowsRate } from '../phrases';

const product = `${productLines.recovery.name} for Windows`;

export default {
  name: 'Data Recovery for Windows',
  order: 10,
  menus: [
    { in: 'recover', order: 10, line: 'Deleted, formatted and lost files', icon: 'p-recovery' },
    { in: 'hot', order: 10 },
    { in: 'hotFerry', order: 40, label: 'Data Recovery' },
  ],
  seo: {
    title: `Data recovery for Windows: scan and preview free | ${brands.mendara.name}`,
    description: `Recover deleted, formatted and lost files on ${requirements.windows}. ${statistics.fileTypesWindows} file types, quick and deep scan, free preview, ${windowsGuarantee} money back.`,
  },
  product: { website: 'recovery', os: 'win', name: product },
  sections: [
    {
      kind: 'banner',
      product: { name: product, tile: 'p-recovery' },
      title: 'Recover deleted files on Windows.',
      lead: 'Scan the drive, look at what is still there, and take back what you need. You pay only when you recover.',
      actions: [
        { act: 'download', label: 'Try free', website: 'recovery', os: 'win' },
        { act: 'link', label: 'Buy now', href: '/data-recovery-store?ufrom=win' },
      ],
      note: `Also for [Mac, ${requirements.mac}](/data-recovery-mac)`,
      picture: recoveryWindow,
    },
    {
      kind: 'facts',
      facts: [
        { value: statistics.fileTypesWindows, label: 'file types recognised' },
        { value: statistics.lossScenarios, label: 'kinds of data loss covered' },
        { value: requirements.windows, label: `and ${requirements.windowsServer.replace('Windows ', '')}` },
        { value: windowsGuarantee, label: 'money-back guarantee' },
      ],
    },
    {
      kind: 'steps',
      id: 'steps',
      title: 'Three steps, and you can stop after two.',
      lead: 'Choosing a location, scanning and previewing are free. Recovering needs a plan.',
      steps: [
        {
          title: 'Choose where to look',
          text: 'Pick a drive, a folder or the recycle bin. Drives Windows can’t read show up too.',
          picture: { drawing: 'choose' },
        },
        {
          title: 'Scan and preview',
          text: 'Results appear while the scan runs. Filter by file type and open a preview at any time.',
          picture: { drawing: 'scan' },
        },
        {
          title: 'Select and recover',
          text: 'Save to a different drive, so nothing you still need is overwritten.',
          picture: { drawing: 'select' },
        },
      ],
    },
    {
      kind: 'features',
      tight: true,
      title: 'What it does with a drive',
      features: [
        {
          title: 'Quick scan first. Deep scan when it matters.',
          text: 'The quick scan reads the file table and takes moments. The deep scan reads the drive sector by sector and recognises files by their content, even after formatting.',
          picture: {
            drawing: 'scans',
            label: 'Two drive maps. The quick scan fills the first rows, the deep scan fills most of the map.',
          },
        },
        {
          title: 'Open it before you recover it.',
          text: 'A photo, video or document that opens in the preview can be recovered. If it doesn’t open, you know before spending anything.',
          picture: {
            drawing: 'preview',
            label: 'A recovered photo in the preview pane next to filters by type and date.',
          },
          ticks: ['Filter by file type while the scan is running', 'Select single files or whole folders'],
        },
        {
          title: 'Recovered, but damaged? Repair is built in.',
          text: `Some files come back with missing parts. ${brands.mendara.name} repairs photos, videos and documents in the same window.`,
          picture: seamPicture,
          bare: true,
          ticks: [
            'Photo, video and file repair',
            'AI repair for files plain repair can’t fix. It fills gaps with its best guess, so compare before you save.',
          ],
        },
      ],
    },
    {
      kind: 'lists',
      tone: 'mist',
      title: 'If it stores files, connect it.',
      devices: {
        title: 'Devices',
        items: [
          { icon: 'hard-drive', label: 'Hard disk' },
          { icon: 'server', label: 'SSD' },
          { icon: 'usb', label: 'USB stick' },
          { icon: 'memory-stick', label: 'Memory card' },
          { icon: 'hard-drive', label: 'External drive' },
          { icon: 'camera', label: 'Camera' },
          { icon: 'video', label: 'Camcorder' },
          { icon: 'plane', label: 'Drone' },
          { icon: 'mic', label: 'Voice recorder' },
          { icon: 'laptop', label: 'Laptop that won’t start' },
          { icon: 'disc', label: 'Lost partition' },
          { icon: 'trash-2', label: 'Emptied recycle bin' },
        ],
      },
      types: {
        title: 'File types',
        groups: [
          { name: 'Photos', list: 'JPG, PNG, TIFF, CR2, CR3, NEF, ARW, DNG, RAF' },
          { name: 'Videos', list: 'MP4, MOV, AVI, MKV, M2TS, MTS, 3GP, FLV' },
          { name: 'Documents', list: 'DOCX, XLSX, PPTX, PDF, DOC, XLS, PPT' },
          { name: 'And more', list: `Audio, e-mail, archives: ${statistics.fileTypesWindows} types in all` },
        ],
      },
    },
    {
      kind: 'gallery',
      title: 'Four screens, no settings to learn.',
      name: product,
      screens: [
        {
          picture: {
            drawing: 'win-drives',
            label: 'The start screen with two drives, an SD card that Windows can’t read, and the recycle bin.',
          },
          caption: 'Choose: drives and places, also the card that Windows wants to format.',
        },
        {
          picture: recoveryWindow,
          caption: 'Scan: a map of the drive, results by type or folder, a preview of each file.',
        },
        {
          picture: {
            drawing: 'win-repair',
            label: 'A damaged photo of a street beside its repaired preview.',
          },
          caption: 'Repair: what was damaged and what could be kept, before you save.',
        },
        {
          picture: {
            drawing: 'win-recovering',
            label: 'Five files being written to another drive, two of them done.',
          },
          caption: 'Recover: written to another drive, file by file.',
        },
      ],
    },
    { ...onlineOrDesktop, tight: true },
    {
      kind: 'questions',
      tight: true,
      title: 'Questions and specifications',
      questions: [
        {
          question: `Can ${brands.mendara.name} recover permanently deleted files?`,
          answer: `Yes, as long as their space on the drive has not been used again. ${windowsRate} That is why the scan and the preview are free. [What to do first](/how-to/recover-permanently-deleted-files), and [every step](/user-guide/data-recovery-windows).`,
        },
        {
          question: 'Where should I save recovered files?',
          answer:
            'On a different drive from the one you lost them on. Anything written to that drive can overwrite what you still want back.',
        },
        {
          question: 'What is the difference between quick scan and deep scan?',
          answer:
            'The quick scan reads the drive’s list of files, including deleted entries. The deep scan reads every sector and recognises files by their content. It finds more and takes longer.',
        },
        {
          question: 'Can I scan a drive that Windows wants to format?',
          answer:
            'Yes. Say no to formatting, leave the drive connected and choose it in the list. The deep scan does not need a file system that Windows can read.',
        },
        { question: 'How many computers does a licence cover?', answer: 'One PC per licence.' },
        {
          question: 'What is the refund period?',
          answer: `The Windows version comes with a money-back guarantee of ${windowsGuarantee}.`,
        },
      ],
      specifications: [
        { name: 'Windows', value: `${requirements.windows}: XP, Vista, 7, 8, 10 and 11` },
        { name: 'Windows Server', value: requirements.windowsServer.replace('Windows Server ', '') },
        { name: 'File types', value: statistics.fileTypesWindows },
        { name: 'Repair', value: repairSize },
        { name: 'Licence', value: 'One PC, for personal, non-commercial use' },
      ],
    },
    {
      kind: 'cta',
      id: 'download',
      tight: true,
      title: 'Look first.\nIt costs nothing.',
      lead: `Download ${product}, scan, and see your files in the preview.`,
      actions: [
        { act: 'download', label: 'Try free', website: 'recovery', os: 'win' },
        { act: 'link', label: 'Buy now', href: '/data-recovery-store?ufrom=win' },
      ],
    },
  ],
} as const satisfies PageFile;

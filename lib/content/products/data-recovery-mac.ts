import { brands, productLines } from '../../catalog/brands';
import { requirements, statistics } from '../../catalog/facts';
import { onlineOrDesktop, repairSize } from '../common';
import type { PageFile } from '../page';
import { macRate, otherGuarantee } from '../phrases';

const product = `${productLines.recovery.name} for Mac`;
const macWindow = {
  drawing: 'mac-window',
  label:
    'The finished deep scan of a backup drive on a Mac: a list of photos with date, size and condition, and a preview.',
} as const;

export default {
  name: 'Data Recovery for Mac',
  order: 20,
  menus: [
    { in: 'recover', order: 20, line: 'Internal drives, cards and USB sticks', icon: 'p-recovery' },
    { in: 'hot', order: 20 },
  ],
  seo: {
    title: `Data recovery for Mac: scan and preview free | ${brands.mendara.name}`,
    description: `Get back files from an emptied Trash, a card or an external drive on ${requirements.mac}: ${statistics.fileTypesMac} file types, free scan and preview.`,
  },
  product: { website: 'recovery', os: 'mac', name: product },
  sections: [
    {
      kind: 'banner',
      product: { name: product, tile: 'p-recovery' },
      title: 'Emptied the Trash? Look again.',
      lead: 'A deleted file stays on the disk until something else needs its place. Scan your Mac, a card or a USB drive and see what is still whole.',
      actions: [
        { act: 'download', label: 'Try free', website: 'recovery', os: 'mac' },
        { act: 'link', label: 'Buy now', href: '/data-recovery-store?ufrom=mac' },
      ],
      note: `Also for [Windows, ${requirements.windows.replace('Windows ', '')}](/win-data-recovery)`,
      picture: macWindow,
    },
    {
      kind: 'facts',
      facts: [
        { value: statistics.fileTypesMac, label: 'file types recognised' },
        { value: statistics.lossScenarios, label: 'kinds of data loss covered' },
        { value: requirements.mac, label: 'on your Mac' },
        { value: otherGuarantee, label: 'money-back guarantee' },
      ],
    },
    {
      kind: 'steps',
      id: 'steps',
      title: 'From lost to saved in three steps.',
      lead: 'The first two are free. You see each file in the preview before you decide.',
      steps: [
        {
          title: 'Choose a location',
          text: 'A drive, a folder, the Trash or a card in the reader.',
          picture: { drawing: 'mac-choose' },
        },
        {
          title: 'Scan and preview',
          text: 'Filter by file type and look at pictures, videos and documents while the scan goes on.',
          picture: { drawing: 'mac-scan' },
        },
        {
          title: 'Select and recover',
          text: 'Save to an external drive, not to the one you are scanning.',
          picture: { drawing: 'mac-recover' },
        },
      ],
    },
    {
      kind: 'features',
      tight: true,
      title: 'Made for how files get lost on a Mac',
      features: [
        {
          title: 'The Trash is a start, not the end.',
          text: 'Files that were emptied from the Trash keep their content for a while. The quick scan lists them with their old names in moments; the deep scan goes on where names are gone.',
          picture: {
            drawing: 'mac-trash',
            label: 'Five files from an emptied Trash, four of them intact and selected.',
          },
        },
        {
          title: 'Find the one file among thousands.',
          text: 'Show photos only, or documents only, and open the preview. What opens there can be recovered.',
          picture: {
            drawing: 'mac-filter',
            label: 'A filter by file type beside the preview of a rent contract.',
          },
          ticks: ['Filter by file type, date and folder', 'Preview before recovery, also for damaged files'],
        },
        {
          title: 'Repair what comes back broken.',
          text: 'Photos with grey parts, videos that stop, documents that won’t open: repair is in the same window.',
          picture: {
            drawing: 'photo-ai',
            label: 'A photo with a missing lower part beside a preview in which AI repair filled the framed part.',
          },
          ticks: [
            'Photo, video and file repair',
            'AI repair fills gaps with a best guess and marks them, so you can compare',
          ],
        },
      ],
    },
    {
      kind: 'lists',
      tone: 'mist',
      title: 'Plug it in, and it shows up.',
      devices: {
        title: 'Devices',
        items: [
          { icon: 'laptop', label: 'MacBook' },
          { icon: 'monitor', label: 'iMac, Mac mini' },
          { icon: 'server', label: 'SSD' },
          { icon: 'hard-drive', label: 'External drive' },
          { icon: 'usb', label: 'USB stick' },
          { icon: 'memory-stick', label: 'Memory card' },
          { icon: 'camera', label: 'Camera' },
          { icon: 'plane', label: 'Drone' },
          { icon: 'video', label: 'Camcorder' },
          { icon: 'mic', label: 'Voice recorder' },
          { icon: 'disc', label: 'Lost partition' },
          { icon: 'trash-2', label: 'Emptied Trash' },
        ],
      },
      types: {
        title: 'File types',
        groups: [
          { name: 'Photos', list: 'JPG, PNG, TIFF, CR2, CR3, NEF, ARW, DNG, RAF' },
          { name: 'Videos', list: 'MOV, MP4, M4V, AVI, MKV, 3GP, MXF' },
          { name: 'Documents', list: 'DOCX, XLSX, PPTX, PDF, DOC, XLS, PPT' },
          { name: 'And more', list: `Audio, e-mail, archives: ${statistics.fileTypesMac} types in all` },
        ],
      },
    },
    {
      kind: 'gallery',
      title: 'What it looks like on a Mac.',
      name: product,
      screens: [
        {
          picture: {
            drawing: 'mac-drives',
            label: 'The start screen on a Mac with the internal disk, a backup drive, a camera card and the Trash.',
          },
          caption: 'Choose: the internal disk, what is plugged in, or a place you know.',
        },
        { picture: macWindow, caption: 'Scan: a list with dates and condition, and a preview beside it.' },
        {
          picture: { drawing: 'mac-repair', label: 'A damaged photo of a street beside its repaired preview.' },
          caption: 'Repair: before and after, with a report of what was damaged.',
        },
        {
          picture: {
            drawing: 'mac-recovering',
            label: 'Five files being written to a backup drive, two of them done.',
          },
          caption: 'Recover: to another drive, so nothing is overwritten.',
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
          question: 'Can files be recovered after emptying the Trash?',
          answer: `Often, if the Mac was used little since. ${macRate} The scan and the preview are free, so you know before you pay. [The Mac guide](/user-guide/data-recovery-mac) has every step.`,
        },
        {
          question: 'Should I install it on the disk I lost files on?',
          answer:
            'Better not. Every new file can take the place of a lost one. Install on an external drive if you can, and save recovered files there too.',
        },
        {
          question: 'Quick scan or deep scan?',
          answer:
            'Start with the quick scan: it reads the list of files and keeps names and folders. If something is missing, the deep scan reads the whole drive and recognises files by their content.',
        },
        {
          question: 'Does my licence work on Windows too?',
          answer: 'A licence is for one computer and one system. The plans cost the same on both.',
        },
        {
          question: 'What is the refund period?',
          answer: `The Mac version comes with a money-back guarantee of ${otherGuarantee}.`,
        },
      ],
      specifications: [
        { name: 'System', value: requirements.mac },
        { name: 'File types', value: statistics.fileTypesMac },
        { name: 'Scans', value: 'Quick scan and deep scan' },
        { name: 'Repair', value: repairSize },
        { name: 'Licence', value: 'One Mac, for personal, non-commercial use' },
      ],
    },
    {
      kind: 'cta',
      id: 'download',
      tight: true,
      title: 'See what your Mac still has.',
      lead: `Download ${product}, scan, and open your files in the preview. That part is free.`,
      actions: [
        { act: 'download', label: 'Try free', website: 'recovery', os: 'mac' },
        { act: 'link', label: 'Buy now', href: '/data-recovery-store?ufrom=mac' },
      ],
    },
  ],
} as const satisfies PageFile;

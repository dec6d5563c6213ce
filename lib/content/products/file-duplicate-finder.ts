import { brands, productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { PageFile } from '../page';
import { fromPrice, otherGuarantee } from '../phrases';

const { name, store } = productLines.duplicate;
const mainWindow = {
  drawing: 'dup-window',
  label:
    'The Duplicate Finder with groups of identical photos and videos. One copy of each group is locked, the others are ticked.',
} as const;

export default {
  name: 'Duplicate Finder',
  order: 40,
  menus: [
    { in: 'recover', order: 40, line: 'Clear copies on Windows and Mac', icon: 'p-dup' },
    { in: 'hot', order: 30 },
  ],
  seo: {
    title: `Find and delete duplicate files on Windows and Mac | ${brands.mendara.name}`,
    description:
      'Compare many folders at once, find identical files and similar pictures, lock what must stay and delete the rest. Scan and preview free.',
  },
  product: { website: 'duplicate', os: 'both', name },
  sections: [
    {
      kind: 'banner',
      product: { name, tile: 'p-dup' },
      title: 'Keep one. Clear the copies.',
      lead: 'It compares files by their content, not their names, shows each group with the space it takes, and never touches what you lock.',
      actions: [
        { act: 'download', label: 'Try free', website: 'duplicate' },
        { act: 'link', label: 'Buy now', href: store },
      ],
      note: `For ${requirements.duplicateWindows} and ${requirements.duplicateMac}`,
      picture: mainWindow,
    },
    {
      kind: 'facts',
      facts: [
        { value: 'By content', label: 'not by name or date' },
        { value: requirements.duplicateWindows, label: 'on a PC' },
        { value: requirements.duplicateMac, label: 'on a Mac' },
        { value: otherGuarantee, label: 'money-back guarantee' },
      ],
    },
    {
      kind: 'steps',
      id: 'steps',
      title: 'Four steps to a tidy disk.',
      lead: 'Nothing is deleted before you have looked at it.',
      steps: [
        {
          title: 'Choose folders',
          text: 'As many as you like, on one drive or on several.',
          picture: { drawing: 'dup-choose' },
        },
        {
          title: 'Scan',
          text: 'Files are compared by content while you watch the count.',
          picture: { drawing: 'dup-scan' },
        },
        {
          title: 'Preview and select',
          text: 'See both copies, lock the one you keep, let rules select the rest.',
          picture: { drawing: 'dup-preview' },
        },
        {
          title: 'Delete',
          text: 'The selected copies go to the recycle bin or the Trash.',
          picture: { drawing: 'dup-delete' },
        },
      ],
    },
    {
      kind: 'features',
      tight: true,
      title: 'You set the rules, once',
      features: [
        {
          title: 'Select by rule, lock by hand.',
          text: 'Keep the oldest, the newest or the one in a folder you name; everything else in the group is selected by itself. A locked file is never offered for deletion.',
          picture: {
            drawing: 'dup-rules',
            label:
              'Rules for automatic selection beside a list of locked files, with buttons to sort by name, size, count or space.',
          },
          ticks: [
            'Automatic selection by age, place or name',
            'Sort groups by name, size, count or space',
            'Lock single files against deletion',
          ],
        },
        {
          title: 'Compare one folder with another.',
          text: 'Is the old backup complete? Cross-folder compare puts two places side by side and shows what is in both and what is only in one.',
          picture: {
            drawing: 'dup-cross',
            label:
              'Four photos of one folder beside a backup folder. Three have a copy there, one is only on the left.',
          },
        },
        {
          title: 'Look only where it pays.',
          text: 'Set a size range to skip thousands of tiny files, and name the folders that are none of its business.',
          picture: {
            drawing: 'dup-limits',
            label: 'A size range from 1 MB to 2 GB and four ignored folders.',
          },
          ticks: [
            'Size-range filter',
            'Ignored folders, such as system folders and archives',
            'Several folders in one scan',
          ],
        },
      ],
    },
    {
      kind: 'gallery',
      tone: 'mist',
      title: 'Identical files, and pictures that only look alike.',
      lead: 'Ten shots of the same smile are no duplicates, but you may want one. Similar-image handling groups them and proposes the best.',
      name,
      screens: [
        {
          picture: {
            drawing: 'dup-similar',
            label: 'Two groups of three similar pictures. In each, the sharpest one is marked Keep.',
          },
          caption: 'Similar pictures: you say how alike they must be; the sharpest one is proposed.',
        },
        {
          picture: mainWindow,
          caption: 'Identical files: each group with its copies, places and the space they take.',
        },
        {
          picture: {
            drawing: 'dup-setup',
            label: 'A new scan with four folders, a size range, file kinds and ignored folders.',
          },
          caption: 'A new scan: folders, size range, kinds of files, folders to leave alone.',
        },
      ],
    },
    {
      kind: 'lists',
      title: 'Where copies pile up.',
      devices: {
        title: 'Places',
        items: [
          { icon: 'download', label: 'Downloads' },
          { icon: 'image', label: 'Photo folders' },
          { icon: 'camera', label: 'Camera imports' },
          { icon: 'smartphone', label: 'Phone backups' },
          { icon: 'hard-drive', label: 'External drives' },
          { icon: 'usb', label: 'USB sticks' },
          { icon: 'folder', label: 'Synced folders' },
          { icon: 'archive', label: 'Old archives' },
        ],
      },
      types: {
        title: 'Kinds of files',
        groups: [
          { name: 'Pictures', list: 'Identical copies and similar shots' },
          { name: 'Videos and audio', list: 'Also under different names' },
          { name: 'Documents', list: '“Copy of”, “(1)” and “final”, if the content is the same' },
          { name: 'Everything else', list: 'Any file, compared by content' },
        ],
      },
    },
    {
      kind: 'compare',
      tight: true,
      title: 'Free and paid',
      caption: `The free version of ${name} compared with paid plans`,
      columns: ['Feature', 'Free', 'Every plan'],
      rows: [
        { name: 'Scan many folders', values: [true, true] },
        { name: 'Groups, sorting and preview', values: [true, true] },
        { name: 'Similar pictures', values: [true, true] },
        { name: 'Automatic selection and locking', values: [true, true] },
        { name: 'Delete selected copies', values: [false, true] },
        { name: 'Price', values: ['$0', `From ${fromPrice}`] },
      ],
      more: { label: 'Plans and prices', href: store },
    },
    {
      kind: 'questions',
      tight: true,
      title: 'Questions and specifications',
      questions: [
        {
          question: 'How does it know that two files are the same?',
          answer:
            'It compares their content. Names, dates and places do not matter. For pictures there is a second way that finds shots which only look alike. [The guide](/user-guide/duplicate-finder) shows both.',
        },
        {
          question: 'Can it delete something I need?',
          answer:
            'Only what you select, and never a locked file. In each group at least one copy always stays. What you delete goes to the recycle bin or the Trash first.',
        },
        {
          question: 'Will it slow my computer down?',
          answer:
            'A scan reads files, so the disk is busy for a while. A size range and ignored folders make it much shorter. You can go on working.',
        },
        { question: 'How many computers does a licence cover?', answer: 'One PC or one Mac per licence.' },
        {
          question: 'What is the refund period?',
          answer: `${otherGuarantee}. Write to support with your order number.`,
        },
      ],
      specifications: [
        { name: 'Windows', value: requirements.duplicateWindows },
        { name: 'Mac', value: requirements.duplicateMac },
        { name: 'Scan', value: 'Several folders and drives at once, cross-folder compare' },
        { name: 'Filters', value: 'Size range, kinds of files, ignored folders' },
        { name: 'Sorting', value: 'Name, size, count, space' },
        { name: 'Licence', value: 'One computer, for personal, non-commercial use' },
      ],
    },
    {
      kind: 'cta',
      id: 'download',
      tight: true,
      title: 'How much is there twice?',
      lead: 'Download, scan and see the number. Deleting needs a plan, looking does not.',
      actions: [
        { act: 'download', label: 'Try free', website: 'duplicate' },
        { act: 'link', label: 'Buy now', href: store },
      ],
    },
  ],
} as const satisfies PageFile;

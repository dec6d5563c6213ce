import { brands } from '../../catalog/brands';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import {
  buyNow,
  repairCta,
  repairName,
  repairNote,
  repairQuestions,
  repairSpecifications,
  screens,
  tryOnline,
} from '../parts/repair-words';
import { extensionsSummary } from '../phrases';
import { comparison, documentSigns } from '../screens/tools';

const mainWindow = {
  drawing: 'file-window',
  label: 'Mendara Repair with five documents. A Word report is shown in the preview beside a list of what was kept.',
} as const;

export default {
  name: 'File Repair',
  order: 80,
  menus: [{ in: 'tools', order: 40, line: 'Documents that won’t open', icon: 't-file' }],
  seo: {
    title: `Repair PDF, Word, Excel and PowerPoint files | ${brands.mendara.name}`,
    description: `Open documents again that report an error: ${extensionsSummary('file')}. Up to ${desktopLimitText}, in batches, with preview and a report.`,
  },
  sections: [
    {
      kind: 'banner',
      product: { name: `${repairName} for files`, tile: 't-file' },
      title: '“The file is corrupt and cannot be opened.”',
      lead: 'The text is mostly still inside. Repair rebuilds what the program needs to open it and tells you what, if anything, is missing.',
      actions: [tryOnline('file'), buyNow],
      note: repairNote,
      picture: mainWindow,
    },
    {
      kind: 'facts',
      facts: [
        { value: 'PDF and Office', label: 'also the older DOC, PPT, XLS' },
        { value: `Up to ${desktopLimitText}`, label: 'for each file' },
        { value: 'Many at once', label: 'batch repair on the computer' },
        { value: 'A report', label: 'of what was kept and what was lost' },
      ],
    },
    {
      kind: 'steps',
      id: 'steps',
      title: 'From error message to open document.',
      lead: 'You add files and look at the result. The two steps in between run by themselves.',
      steps: [
        { title: 'Add', text: 'One document or a folder full of them.', picture: { drawing: 'file-add' } },
        {
          title: 'Scan and repair',
          text: 'Structure and contents are checked and repaired automatically.',
          picture: { drawing: 'file-run' },
        },
        { title: 'Preview', text: 'Read pages and sheets before you save.', picture: { drawing: 'file-look' } },
        { title: 'Save', text: 'Save to download a file that opens.', picture: { drawing: 'file-save' } },
      ],
    },
    {
      kind: 'features',
      tight: true,
      title: 'How a document comes back',
      features: [
        {
          title: 'The list is broken, the contents are whole.',
          text: 'A Word, Excel or PowerPoint file is a container with text, pictures and styles inside, and a list of where they are. If the list is lost, it can be written again from the contents. A PDF works alike.',
          picture: {
            drawing: 'file-container',
            label: 'A document whose list of contents is missing while text, pictures, styles and comments are whole.',
          },
        },
        {
          title: 'A report you can check against.',
          text: '“Repaired” is not enough for a contract or a budget. Each result says which parts were kept, which were rebuilt and which are gone.',
          picture: {
            drawing: 'file-report',
            label: 'The report of a spreadsheet: five parts kept, twenty rows of one sheet lost.',
          },
          ticks: ['Names the page, sheet or part', 'Never calls a healthy file damaged'],
        },
        {
          title: 'The whole folder in one go.',
          text: 'After a crash it is seldom one file. Add them all; healthy ones are left alone and marked.',
          picture: {
            drawing: 'file-kinds',
            label: 'Four documents checked: two repaired, one partly repaired, one healthy.',
          },
        },
      ],
    },
    { ...documentSigns, tone: 'mist' },
    {
      kind: 'lists',
      title: 'Where broken documents come from.',
      devices: {
        title: 'Situations',
        items: [
          { icon: 'download', label: 'Download broke off' },
          { icon: 'mail', label: 'E-mail attachment' },
          { icon: 'usb', label: 'Stick pulled too early' },
          { icon: 'laptop', label: 'Crash while saving' },
          { icon: 'hard-drive', label: 'Failing disk' },
          { icon: 'folder', label: 'Sync conflict' },
          { icon: 'archive', label: 'Damaged archive' },
          { icon: 'search', label: 'Recovered file' },
        ],
      },
      types: {
        title: 'File types',
        groups: [
          { name: 'PDF', list: 'PDF' },
          { name: 'Word', list: 'DOCX, DOC' },
          { name: 'Excel', list: 'XLSX, XLS' },
          { name: 'PowerPoint', list: 'PPTX, PPT' },
        ],
      },
    },
    {
      kind: 'gallery',
      tone: 'mist',
      title: 'Read it before you keep it.',
      name: repairName,
      screens: [screens.file, screens.start, screens.video],
    },
    comparison('file', { label: 'Repair one file online', href: onlineTools.file.route }),
    {
      kind: 'questions',
      tight: true,
      title: 'Questions and specifications',
      questions: [
        {
          question: 'Can it open a file with a forgotten password?',
          answer:
            'No. A protected file that opens with its password is not damaged. We don’t break protection. [What else to try](/how-to/open-a-corrupt-document).',
        },
        {
          question: 'Is the layout kept?',
          answer:
            'What is in the file stays as it was: fonts, tables, formulas, comments. If a part is lost, the report names it.',
        },
        {
          question: 'The file opens but is empty. Can that be repaired?',
          answer:
            'If the contents are still in the file, yes. If the file was overwritten with an empty one, an earlier version may be found by [data recovery](/win-data-recovery).',
        },
        ...repairQuestions,
      ],
      specifications: repairSpecifications('file'),
    },
    repairCta('Read it again.', 'Download, add your documents and read them in the preview.'),
  ],
} as const satisfies PageFile;

import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { deletedWithin, limit } from '../phrases';

export default {
  name: 'Open a corrupt document',
  order: 70,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/word-document-corrupt',
      '/how-to/excel-file-will-not-open',
      '/how-to/pdf-will-not-open',
      '/user-guide/repair',
      '/repair-results',
      '/corrupted-file-recovery-online',
      '/file-fixer',
    ],
  },
  seo: {
    title: 'How to open a corrupt Word, Excel, PowerPoint or PDF file',
    description:
      'Five things to try in the programs you have, in the order that costs least, and how to repair the file when they fail.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Open a corrupt document',
      lead: 'Make a copy, fetch the file once more, and open it in a second program. If it fails everywhere, repair it: “corrupt” mostly means that a small, important part is broken, and the text is still inside.',
      picture: { drawing: 'file-run' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What is inside' },
        {
          text: 'DOCX, XLSX and PPTX are boxes: a ZIP file with the text in one part, pictures in others, and a list of the parts. A PDF is a row of objects with a table at its end. The old DOC, XLS and PPT are small file systems of their own. In all of them a few bytes lead to everything else. When those break, the program says “corrupt” and means “I can’t find my way”.',
        },
        {
          picture: {
            drawing: 'g-zip',
            label:
              'A Word file is a box of parts: text, pictures, styles, notes; here the text and the list are damaged',
          },
        },
        { title: 'Work on a copy' },
        {
          text: 'Some programs overwrite a file while they try to open it. Copy it first, and keep the original under a new name.',
        },
        { title: 'Fetch it once more' },
        {
          text: 'Many “corrupt” files are half a download or half a copy. Compare the size with the original’s: in the mail, in the cloud, on the stick it came on. Mail programs cut long attachments; messengers sometimes change the name and the ending.',
        },
        { title: 'Try what you have' },
        {
          list: [
            'Open it in another program. LibreOffice, the browser, Pages, Google Docs: each forgives something else.',
            'Word and Excel: File, Open, Browse, choose the file, then the small arrow beside Open, then Open and Repair.',
            'PowerPoint: make a new presentation and choose New Slide, Reuse Slides.',
            'Look for the copy that the program keeps: File, Info, Manage Document. On a Mac: File, Revert To, Browse All Versions.',
            'Look for older versions in OneDrive, Dropbox or Time Machine.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-versions',
            label: 'Three versions of the same document; the one of yesterday is whole',
          },
        },
        { title: 'Repair it' },
        {
          text: `Use [the online repair](${onlineTools.file.route}) for a single document ${limit('file')}; nobody but you gets the result, and it is gone from our server ${deletedWithin}. For larger documents there is [a desktop program](/file-fixer). Then read the report. It names what was kept, what was made anew and what is lost, and counts the words, cells, slides or pages that open again.`,
        },
        {
          picture: {
            drawing: 'file-report',
            label: 'The report of a workbook: all sheets are whole but one, whose lost rows are named',
          },
        },
        { title: 'Check before you rely on it' },
        {
          list: [
            'Compare the number of pages and look at the last one.',
            'In a spreadsheet, compare the sums with an old print.',
            'Pictures may be missing where the text is whole. Look through once.',
            'Save it under a new name, in its own program, so that everything is written cleanly.',
          ],
        },
        { title: 'Protected is not corrupt' },
        {
          text: 'A file that asks for a password is in order. No repair opens it without the password, ours included. The same goes for a file that a company has locked with rights management: it opens for those who are signed in.',
        },
        { title: 'What can’t be brought back' },
        {
          text: 'Text that isn’t in the file any more. If the size is right but the content is zeros, a drive or a synchronisation lost it, and only an older version has it. Files that ransomware has encrypted are not damaged but locked; a repair can’t help there.',
        },
        { title: 'So that it doesn’t happen again' },
        {
          text: 'Let the program finish saving before you close the lid. Eject sticks. Don’t work on the file on the stick itself: copy it to the computer, work, copy it back. And switch version history on where your cloud offers it.',
        },
        { title: 'Questions' },
        { title: 'Which program should I try first?', level: 3 },
        { text: 'LibreOffice. It costs nothing and opens many files that Office refuses.' },
        { title: 'The file opens, but the fonts are wrong.', level: 3 },
        { text: 'That is no damage. The fonts are missing on this computer.' },
        { title: 'Every document I save turns out corrupt.', level: 3 },
        {
          text: 'Then look at the disk and the memory of the computer, or at the network drive. Save to another place and compare.',
        },
        { title: 'Is it safe to upload a contract?', level: 3 },
        {
          text: 'It travels encrypted, is opened by a program in a closed room without network, and you can delete it at once. If your rules forbid uploads, use the desktop program.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

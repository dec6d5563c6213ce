import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { limit } from '../phrases';

export default {
  name: 'An Excel file won’t open',
  order: 74,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/open-a-corrupt-document',
      '/how-to/word-document-corrupt',
      '/corrupted-file-recovery-online',
      '/file-fixer',
    ],
  },
  seo: {
    title: 'Excel file won’t open: how to get the tables back',
    description:
      '“Excel cannot open the file because the format or extension is not valid”, or a grey window. Quick checks, Excel’s own repair, and how to save values.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'An Excel file won’t open',
      lead: 'Check the ending and the size first, then use Excel’s Open and Repair: it can keep formulas, or save the values alone. If Excel gives up, a repair reads each sheet by itself, so one broken sheet doesn’t cost you the others.',
      picture: { drawing: 'g-sheet' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Four things that are not damage' },
        {
          list: [
            '**A grey window without a table.** Double-click sent the file to a hidden window: choose View, Unhide. Or start Excel first and open the file from within.',
            '**“The format or extension is not valid.”** The ending may lie. A web page or a CSV named .xls does this; open it in a text editor and look at the first line.',
            '**Protected View.** Files from mail open in a closed mode that sometimes fails. Right-click the file, Properties, Unblock.',
            '**A file of 0 or 1 KB.** Nothing is in it. Fetch it again.',
          ],
          ordered: true,
        },
        { title: 'Excel’s own repair' },
        {
          list: [
            'File, Open, Browse, choose a copy of the file.',
            'Click the arrow beside Open, then Open and Repair.',
            'Choose **Repair** first. It tries to keep everything.',
            'If that fails, do it again and choose **Extract Data**. You get values, and formulas where they can be read.',
            'Read the list of what was removed. Excel says it once and never again; take a picture.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-open-repair', label: 'The arrow beside Open leads to Open and Repair' } },
        { title: 'Ways around' },
        {
          list: [
            'Set calculation to manual before you open it: Formulas, Calculation Options, Manual. Some files only fail while they calculate.',
            "Link to it: in a new workbook type ='C:\folder[file.xlsx]Sheet1'!A1 and fill down and across. Values come over without opening the file.",
            'Open it in LibreOffice Calc, and save it as a new XLSX.',
            'In OneDrive or SharePoint look at Version history.',
          ],
        },
        { title: 'Repair it' },
        {
          text: `Our [document repair](${onlineTools.file.route}) takes XLSX and XLS. It is free, and shows how many cells of how many sheets can be read.`,
        },
        {
          picture: {
            drawing: 'file-kinds',
            label: 'Four documents were checked: DOCX, PDF, XLSX and PPTX, with the result for each',
          },
        },
        {
          text: 'Inside an XLSX each sheet is a part of its own, and all words stand in one more part that the sheets share. We read what is whole of each, close what breaks off, and put cells back into their rows. When the shared words are gone, numbers and formulas are still there, and the report says what is not. An XLS is a chain of small clusters in one file. If a link of the chain is broken, the sheets behind it are looked for by their own records.',
        },
        { title: 'Check the result' },
        {
          list: [
            'Compare the sums with an old print or mail.',
            'Look at dates: a repaired cell may show a number, until you give it a format again.',
            'Filter each column for empty cells where none should be.',
            'Look for links to other workbooks under Data, Edit Links.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-sheet',
            label: 'A table in which four cells are lost; the sums beside them still tell what was there',
          },
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t save when Excel says that it removed “unreadable content”, before you have looked at what is missing.',
            'Don’t open the only copy over a weak network. Excel writes while it reads.',
            'Don’t delete hidden files that begin with ~$ while somebody works in the file.',
          ],
        },
        { title: 'What can’t be saved' },
        {
          text: 'Macros of a damaged project part: a macro is a program, and half of one is dangerous. Passwords: a protected workbook needs its own. Cells that are not in the file any more, because the last save was cut off.',
        },
        { title: 'So that it doesn’t happen again' },
        {
          text: 'Wait for the disk before you unplug it. Turn AutoSave on for files in OneDrive. Large workbooks that many people write to belong into a database; Excel was not made for it.',
        },
        { title: 'Questions' },
        { title: 'It opens on another computer. Why not here?', level: 3 },
        { text: 'Add-ins or an old version. Start Excel with Ctrl held and try again.' },
        { title: 'My charts are gone, the numbers are there.', level: 3 },
        { text: 'Charts are parts of their own. From the same numbers they are made anew in a minute.' },
        { title: 'Is CSV safer?', level: 3 },
        { text: 'It can’t break like this, but it keeps neither formats nor formulas.' },
        { title: 'Can I repair a file of 80 MB?', level: 3 },
        { text: `Not online, where a document has to be ${limit('file')}. [On your computer](/file-fixer), yes.` },
      ],
    },
  ],
} as const satisfies PageFile;

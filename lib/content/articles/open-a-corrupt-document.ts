import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { deletedWithin, limit } from '../phrases';

export default {
  name: 'Open a corrupt document',
  order: 50,
  seo: {
    title: 'How to open a corrupt Word, Excel, PowerPoint or PDF file',
    description: 'Four things to try in the programs you have, and how to repair the file when they fail.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Open a corrupt document',
      lead: '“Corrupt” mostly means that a small, important part is broken. The text is usually still inside.',
      picture: { drawing: 'file-run' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Make a copy' },
        { text: 'Work on the copy only. Some programs overwrite a file while they try to open it.' },
        { title: 'Try what you have' },
        {
          list: [
            'Get the file again: from the e-mail, the cloud, the stick it came on. Many “corrupt” files are half a download.',
            'Open it in another program or in the browser.',
            'Word and Excel: File, Open, choose the file, then the small arrow beside Open, then Open and Repair.',
            'Look for the automatic copy: File, Info, Manage document.',
          ],
          ordered: true,
        },
        { title: 'Repair it' },
        {
          list: [
            `One file ${limit('file')}: [online](${onlineTools.file.route}), free. It is deleted ${deletedWithin}.`,
            'Larger or several: [on your computer](/file-fixer), with a preview.',
            'Read the report. It names what was kept, what was rebuilt and what is lost.',
          ],
          ordered: true,
        },
        { title: 'Check before you rely on it' },
        {
          text: 'Compare the number of pages, the last page, and in a spreadsheet the sums. If the report names a lost part, look there first.',
        },
        { title: 'Protected is not corrupt' },
        { text: 'A file that asks for a password is in order. No repair opens it without the password.' },
      ],
    },
  ],
} as const satisfies PageFile;

import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';

export default {
  name: 'A PDF that no reader opens',
  order: 76,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/open-a-corrupt-document',
      '/user-guide/repair',
      '/repair-results',
      '/corrupted-file-recovery-online',
      '/file-fixer',
    ],
  },
  seo: {
    title: 'PDF won’t open in any reader: what is left to try',
    description:
      '“There was an error opening this document. The file is damaged.” How PDFs break, which reader forgives what, and how to get pages or text out.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'A PDF that no reader opens',
      lead: 'Readers start at the end of a PDF, where a table says where the pages are; if the end is cut off or wrong, they give up. The pages are often whole. Fetch the file again, try a reader that forgives more, then have the table made anew.',
      picture: { drawing: 'g-pdf-table' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'How a PDF is built' },
        {
          text: 'A PDF is a row of numbered objects: pages, fonts, pictures. The last lines hold a table with the place of each object, and a note which one is the first. A reader goes to the end, reads the table and jumps. That is quick, and it is why a missing end stops everything: no table, no jump. Three things break it most: a download that stopped, a transfer that changed line ends as if the file were text, and a program that wrote the file wrongly in the first place.',
        },
        { title: 'Quick checks' },
        {
          list: [
            'Open it in a text editor. Does it begin with %PDF? If it begins with <html, you have saved a sign-in page.',
            'Does it end with %%EOF? If not, the end is missing: download it again.',
            'Compare the size with what the page or the mail says.',
            'Ask the sender to put it into a ZIP. Old mail gateways harm bare PDFs, and can’t harm those.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-half', label: 'The download ended early, so the end of the file never came' } },
        { title: 'Ask other readers' },
        {
          list: [
            'Firefox rebuilds the table by itself when it is wrong. Drag the file into a window.',
            'Chrome and Edge share another engine, which forgives other things.',
            'Preview on a Mac opens many files that Acrobat refuses, and the other way round.',
            'Opens somewhere? Print it to a new PDF from there. The new file is clean.',
          ],
        },
        { picture: { drawing: 'g-readers', label: 'Two readers refuse the file, the third opens it' } },
        { title: 'Free tools for those who like them' },
        {
          text: 'qpdf and MuPDF’s mutool both rebuild a table: qpdf in.pdf out.pdf, or mutool clean in.pdf out.pdf. They cost nothing and are good at this one thing. Where objects themselves are damaged, they leave pages empty.',
        },
        { title: 'Repair it' },
        {
          list: [
            `Add the file to [the document repair](${onlineTools.file.route}).`,
            'It finds objects by their marks, reads packed ones behind damaged places, and puts pages together again.',
            'Two readers that are not ours have to open the result before you get it. The report tells how many pages and words they saw.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'file-window', label: 'The repair of documents, with pages of a PDF that open again' } },
        {
          text: 'If the end with the fonts was cut off, letters have numbers but no shapes. Then we tell them by which of them follow each other, as one solves a cipher. Small letters mostly come out right, figures can’t; the report says that the text was told this way. Read such a text as a draft.',
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t “repair” by renaming to .docx. Word may import a PDF, but it reads the same broken table.',
            'Don’t use ten sites in turn for something private. Each of them keeps a copy for a while.',
            'Don’t print and scan it as long as the text can be had. A scan is a picture.',
          ],
        },
        { title: 'What can’t be brought back' },
        {
          list: [
            'A PDF with a password, without the password.',
            'Pages that never arrived. The table may be made anew, the page not.',
            'A signature. It holds for the old bytes only, so a repaired file is unsigned, and has to be signed again.',
            'Forms that need a certain program. They open in that program alone, damaged or not.',
          ],
        },
        { title: 'Questions' },
        { title: 'It opens, but shows empty pages.', level: 3 },
        { text: 'The pages are there and their content isn’t read. Try a second reader, then a repair.' },
        { title: 'It opens, but I can’t copy text.', level: 3 },
        { text: 'It is a scan, or its fonts don’t say which letter is which. No damage.' },
        { title: 'Adobe says “file type not supported”.', level: 3 },
        { text: 'It was saved by mail as something else. Look at its first letters as above.' },
        { title: 'May I repair an invoice or a contract?', level: 3 },
        { text: 'For reading, yes. Legally the original counts, so keep it.' },
      ],
    },
  ],
} as const satisfies PageFile;

import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';

export default {
  name: 'Word says the document is corrupt',
  order: 72,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/open-a-corrupt-document',
      '/how-to/recover-permanently-deleted-files',
      '/corrupted-file-recovery-online',
      '/file-fixer',
    ],
  },
  seo: {
    title: 'Word says the document is corrupt: get your text back',
    description:
      '“Word found unreadable content” or “the file is corrupt and cannot be opened”. Six ways to the text, from Word’s own to a repair.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Word says the document is corrupt',
      lead: 'Your text is probably still in the file. Make a copy, try Open and Repair, then Recover Text from Any File, then LibreOffice. If all three fail, a repair reads the text straight out of the file’s parts.',
      picture: { drawing: 'g-open-repair' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What Word’s messages mean' },
        {
          list: [
            '**“Word found unreadable content. Do you want to recover the contents?”** One part breaks off or has a mistake. Say Yes, on a copy.',
            '**“The file is corrupt and cannot be opened.”** The box itself is damaged: its list of parts, or its end.',
            '**“Word experienced an error trying to open the file.”** Often no damage at all. Windows blocks files from the internet: right-click, Properties, Unblock.',
            '**“The file cannot be opened because there are problems with the contents.”** The text part is not well-formed; the message even names a line.',
          ],
        },
        { title: 'Before anything else' },
        {
          text: 'Copy the document to the desktop. Network drives, sticks and sync folders give such messages when the connection is bad. Does the copy open? Then only the place was at fault.',
        },
        { title: 'Word’s own ways' },
        {
          list: [
            'File, Open, Browse. Choose the copy, click the small arrow beside Open, and choose Open and Repair.',
            'The same dialog again: set the type to “Recover Text from Any File”. You get bare text with some odd characters. For a letter that may be enough.',
            'Insert it: new document, Insert, Object, Text from File.',
            'Switch the view to Draft before opening: pictures and layout are then left alone, and a crash while drawing them doesn’t happen.',
            'Start Word with the Ctrl key held, which is its safe mode. Add-ins and damaged templates give the same message as damaged files.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-open-repair',
            label: 'The dialog to open a file: Open and Repair stands under the arrow beside Open',
          },
        },
        { title: 'Versions that Word keeps' },
        {
          list: [
            'File, Info, Manage Document, Recover Unsaved Documents.',
            'Search the computer for *.asd and *.wbk. The first are automatic copies, the second backups.',
            'In OneDrive or SharePoint: right-click, Version history. It goes back weeks.',
          ],
        },
        { title: 'Another program' },
        {
          text: 'LibreOffice Writer reads the parts by itself and lets broken ones go. Google Docs does the same after an upload. If one of them opens the text, save it as DOCX under a new name and go on in Word.',
        },
        { title: 'Repair the file' },
        {
          list: [
            `Add the document to [the online tool](${onlineTools.file.route}). It takes DOCX and DOC and costs nothing.`,
            'Read how many words can be read again, and what the report calls lost.',
            'Download, open, compare.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'file-container',
            label: 'The parts of a document are read one by one and put into a new box',
          },
        },
        {
          text: 'What we do: the parts are found by their own marks, without the list. A damaged one is unpacked up to the fault and behind it, wrong bits are looked for by what the sound parts of the same document look like, and what broke off is closed. Then the box is packed anew, and a second reader has to open it before you get it.',
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t click No and then save the empty window.',
            'Don’t rename DOCX to DOC. They are different formats.',
            'Don’t open the only copy with five programs. One of them will save it.',
          ],
        },
        { title: 'What is lost for good' },
        {
          text: 'A hole of zeros in the text part takes everything from there to the next readable place. Footnotes and pictures live in parts of their own and often survive. Tracked changes and comments come back when their part does.',
        },
        { picture: { drawing: 'g-zip', label: 'Text and list of parts are damaged, pictures and notes are whole' } },
        { title: 'Questions' },
        { title: 'Word opens it, but half of the pages are missing.', level: 3 },
        { text: 'Look at the size first, then repair the original, not the half that Word saved.' },
        { title: 'It is an old .doc. Does all this hold?', level: 3 },
        { text: 'The first two ways do. Inside it is another format, which our tool reads too.' },
        { title: 'It says the file is in use.', level: 3 },
        {
          text: 'Somebody has it open, or a crash left a lock: a hidden file that begins with ~$ beside it. Delete that one.',
        },
        { title: 'Can you recover tracked changes?', level: 3 },
        { text: 'Where the text part is read, yes: they stand in it.' },
      ],
    },
  ],
} as const satisfies PageFile;

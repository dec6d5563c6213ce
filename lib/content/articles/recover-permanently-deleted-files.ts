import type { PageFile } from '../page';
import { windowsRate } from '../phrases';

export default {
  name: 'Recover permanently deleted files',
  order: 10,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'lost',
    related: [
      '/user-guide/data-recovery-windows',
      '/user-guide/data-recovery-mac',
      '/how-to/memory-card-error',
      '/win-data-recovery',
      '/data-recovery-mac',
    ],
  },
  seo: {
    title: 'How to recover permanently deleted files',
    description:
      'Past the recycle bin is not past help. Where to look first, what not to do, and how a scan finds what is left.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Recover permanently deleted files',
      lead: 'Stop using the drive now. “Permanently” means that the entry is gone; the content stays until something else needs its place. Look for another copy first, then scan the drive from a second one.',
      picture: { drawing: 'choose' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What “deleted” means' },
        {
          text: 'A drive keeps two things: the content of your files, and a list that says where each one lies. Emptying the bin, or deleting with the Shift key, takes a file off the list. Its place is then free for others. Until somebody takes it, the content is still there.',
        },
        {
          picture: {
            drawing: 'g-over',
            label:
              'Two rows of blocks: pale places are deleted files that can still be read; after a download and an update some of them are taken',
          },
        },
        {
          text: 'So time is not the enemy. Writing is. A week in a drawer costs nothing; one hour of browsing on the same drive may cost the file you want.',
        },
        { title: 'Do this first' },
        {
          list: [
            'Close programs that save by themselves: mail, chat, cloud folders.',
            'Don’t download and don’t install anything on that drive.',
            'A card or stick? Take it out. It is safe in your pocket.',
            'Was it the disk that the computer starts from? Shut down, and read on at another device.',
          ],
          ordered: true,
        },
        { title: 'Look where it costs nothing' },
        { text: 'Many files that seem lost have a twin. Ten minutes here save hours of scanning.' },
        {
          picture: { drawing: 'g-bin', label: 'A list of deleted files, sorted by the day on which they were deleted' },
        },
        {
          list: [
            'The bin itself, sorted by the day of deletion. On Windows choose Restore, on a Mac choose Put Back.',
            'The cloud folder’s own bin. OneDrive, iCloud Drive, Google Drive and Dropbox all keep deleted files for some weeks.',
            'Older versions. On Windows right-click the folder that held the file and choose Properties, then Previous Versions. On a Mac open the folder and enter Time Machine.',
            'Other people: the e-mail you sent, the colleague you shared it with, the phone that took the picture.',
          ],
          ordered: true,
        },
        { title: 'Scan the drive' },
        {
          list: [
            'Install the recovery program on another drive. A USB stick will do.',
            'Start with the quick scan. It reads the list of files, and the entries of deleted ones with their names.',
            'Yours is not there? Let the deep scan run. It reads every sector and knows files by how they begin, so they often come without names or folders.',
            'Open the preview. What opens there can be saved.',
            'Save to a third place, never to the drive that you scan.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-drives', label: 'One drive is scanned, and what is found is saved to another one' } },
        {
          text: `A deep scan of a large disk takes hours. Let it finish, even when the first results look good: the best copy is not always found first. ${windowsRate}`,
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t run a “repair” of the drive, such as chkdsk with /f or First Aid, before you have your files. Both change the drive.',
            'Don’t save the results “just for now” to the same drive. Each saved file may take the place of the next one.',
            'Don’t let three programs work on it in turn. One good scan wears it less.',
          ],
        },
        { title: 'When it doesn’t work' },
        {
          text: 'A solid-state disk often clears deleted places by itself. The system tells it which places are free (the command is called TRIM), and soon nothing is left to read.',
        },
        {
          picture: {
            drawing: 'g-trim',
            label: 'On a hard disk the content stays after deleting; on a solid-state disk its places are cleared soon',
          },
        },
        {
          text: 'The same holds for most phones: their storage is encrypted, file by file. And a drive that clicks, whistles or gets hot is no case for any program. Switch it off and ask a laboratory; each minute of running makes its work harder.',
        },
        { title: 'Questions' },
        { title: 'Do the names come back?', level: 3 },
        {
          text: 'From the quick scan, mostly. From the deep scan, seldom: names live in the list, and the deep scan goes without it. Photos often tell their date, documents their title.',
        },
        { title: 'Some files open only in part. Why?', level: 3 },
        {
          text: 'Something new took a piece of their place. A photo, video or document may still be mended: [repair it](/repair-tool) after you have saved it.',
        },
        { title: 'Is it worth trying after a month?', level: 3 },
        {
          text: 'Yes, if the drive was hardly used. The scan and its preview show what is there before you pay for anything.',
        },
      ],
    },
    {
      kind: 'cta',
      title: 'See what is still there.',
      lead: 'The scan and the preview are free.',
      actions: [
        { act: 'link', label: 'Data Recovery for Windows', href: '/win-data-recovery' },
        { act: 'link', label: 'Data Recovery for Mac', href: '/data-recovery-mac' },
      ],
    },
  ],
} as const satisfies PageFile;

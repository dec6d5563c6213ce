import type { PageFile } from '../page';
import { windowsRate } from '../phrases';

export default {
  name: 'Recover permanently deleted files',
  order: 10,
  seo: {
    title: 'How to recover permanently deleted files',
    description:
      'Past the recycle bin is not past help. Where to look first, what not to do, and how a scan finds what is left.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Recover permanently deleted files',
      lead: '“Permanently” means that the entry is gone. The content stays until something else needs its place. So the first rule is to do nothing.',
      picture: { drawing: 'choose' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Stop using the drive' },
        {
          text: 'Close programs that save by themselves. Don’t download, don’t install, don’t copy anything onto that drive. If it is a card or a stick, take it out.',
        },
        { title: 'Look where it costs nothing' },
        {
          list: [
            'The recycle bin or Trash, sorted by the day of deletion.',
            'The cloud folder’s own bin: most keep deleted files for some weeks.',
            'Older versions: on Windows right-click the folder, Properties, Previous versions; on a Mac open Time Machine.',
            'Other places the file went to: an e-mail you sent, a phone, a colleague.',
          ],
          ordered: true,
        },
        { title: 'Scan the drive' },
        {
          list: [
            'Install a [recovery program](/win-data-recovery) on a different drive.',
            'Run the quick scan. It lists deleted files with their names.',
            'If yours is missing, let the deep scan run. It finds files by content, often without names.',
            'Open the preview. What opens there can be recovered.',
            'Save to a different drive.',
          ],
          ordered: true,
        },
        { text: windowsRate },
        { title: 'When it doesn’t work' },
        {
          text: 'A solid-state disk often clears deleted places by itself within minutes, and then nothing is left. A drive that clicks or gets hot should not be scanned at all: switch it off and ask a laboratory.',
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

import type { PageFile } from '../page';

export default {
  name: 'The disk asks to be formatted',
  order: 30,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'lost',
    related: [
      '/how-to/memory-card-error',
      '/how-to/recover-permanently-deleted-files',
      '/user-guide/data-recovery-windows',
      '/win-data-recovery',
    ],
  },
  seo: {
    title: '“You need to format the disk”: what to do instead',
    description:
      'The computer asks to format a stick or drive. Say no: why the files are mostly still there, and how to get them.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: '“You need to format the disk”',
      lead: 'You don’t. Press Cancel. The message means that Windows can’t read the table of contents; the files behind it are another matter, and a scan reads them without it.',
      picture: { drawing: 'g-format' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Say no' },
        {
          text: 'Formatting writes a new, empty table of contents. The drive then works again and looks empty. Nothing is gone at that moment, but from then on each file you save takes the place of an old one. A full format on a current Windows goes further and overwrites everything.',
        },
        { picture: { drawing: 'g-table', label: 'The table of contents is damaged, the files behind it are whole' } },
        {
          text: 'If somebody has pressed Format already, and it took only seconds, stop there. It was a quick one, and the scan below still works.',
        },
        { title: 'Why it asks' },
        { text: 'Windows offers to format whatever it cannot make sense of. That happens when:' },
        {
          list: [
            'the drive was pulled out while something was written,',
            'the first sectors, which name the file system, are worn or overwritten,',
            'the drive comes from a Mac, a Linux computer, a television or a video recorder. Then nothing is broken: read it on the device it came from,',
            'the cable, the port or the case of an external disk fails,',
            'the disk itself is dying.',
          ],
        },
        { title: 'Rule out the simple things' },
        {
          list: [
            'Another port, on the computer itself and not on a hub. Then another cable.',
            'Another computer. If it opens there, copy everything at once.',
            'An external disk with its own power supply: try that supply on another socket. Too little power looks like a broken disk.',
            'Look into Disk Management. Right-click Start and choose it. A partition called RAW is there but not understood; one called NTFS or exFAT may only lack a letter, which you can give it there.',
            'Listen. A clicking disk is switched off at once.',
          ],
          ordered: true,
        },
        { title: 'Get the files, then format' },
        {
          list: [
            'Leave the drive connected and start the recovery program from another one.',
            'Choose the drive, although it is listed as not readable.',
            'Let the deep scan run to its end. It does not need the table.',
            'Look at the preview, select, and save to a drive with enough room.',
            'Open some of what you saved. Only now format the drive, and test it with files that you have twice.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'scan', label: 'A deep scan at 64 percent, with 1,284 files found so far' } },
        {
          text: 'If the message comes back within weeks, throw the drive away. Sticks and cards wear out, and a new one costs less than one evening of scanning.',
        },
        { title: 'What not to do' },
        {
          list: [
            'No chkdsk on a drive that shows as RAW: it refuses, or it cuts what it can’t match into pieces named FILE0000.CHK.',
            'No “convert RAW to NTFS” tools. Most of them format.',
            'No writing test before the files are safe.',
          ],
        },
        { title: 'Before you try ours' },
        {
          text: 'A drive from a Mac opens on any Mac. A drive from Linux opens with a live system from a stick, which costs nothing and changes nothing. And when the drive holds only things that lie elsewhere too, formatting is fine: that is what it is for.',
        },
        {
          picture: {
            drawing: 'g-eject',
            label: 'A drive that is pulled out while it is written to is damaged; ejected first, it stays whole',
          },
        },
        { title: 'What can’t be done' },
        {
          text: 'An encrypted drive (BitLocker, VeraCrypt) asks for its key, not for formatting; without the key nothing can be read, by anybody. A drive that is not listed in Disk Management at all has a fault in its electronics, and only a laboratory can read it.',
        },
        { title: 'Afterwards' },
        {
          text: 'Once your files are safe, format the drive in the device that will use it, and choose exFAT if it has to work in Windows and on a Mac. Give it work that doesn’t matter for some weeks before you trust it again.',
        },
        { title: 'Questions' },
        { title: 'Can I get files back after formatting?', level: 3 },
        { text: 'After a quick format, often most of them. After a full one, no.' },
        { title: 'Why is the drive suddenly smaller?', level: 3 },
        {
          text: 'Counterfeit sticks claim more room than they have. What was written beyond their real size was never kept.',
        },
        { title: 'Is the drive still good afterwards?', level: 3 },
        { text: 'If it was pulled out in the middle of writing: yes. If it happened at rest: no.' },
      ],
    },
  ],
} as const satisfies PageFile;

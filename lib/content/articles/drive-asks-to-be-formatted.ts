import type { PageFile } from '../page';

export default {
  name: 'The disk asks to be formatted',
  order: 30,
  seo: {
    title: '“You need to format the disk”: what to do instead',
    description:
      'The computer asks to format a card, stick or drive. Say no: why the files are mostly still there, and how to get them.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: '“You need to format the disk”',
      lead: 'You don’t. The message means that the computer can’t read the table of contents. The files are another matter.',
      picture: { drawing: 'mac-scan' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Say no' },
        {
          text: 'Press Cancel. Formatting writes a new, empty table of contents. The drive then works again and looks empty, and each file you save takes the place of an old one.',
        },
        { title: 'Rule out the simple things' },
        {
          list: [
            'Another port, another cable, another card reader.',
            'Another computer. A card from a camera can often still be read in the camera.',
            'The small switch on the side of an SD card: it should be on “lock” while you work.',
          ],
          ordered: true,
        },
        { title: 'Scan it as it is' },
        {
          list: [
            'Leave the drive connected and start [Data Recovery](/win-data-recovery).',
            'Choose the drive, although it is listed as not readable.',
            'Let the deep scan run: it does not need the table of contents.',
            'Preview, select, and save to another drive.',
          ],
          ordered: true,
        },
        { title: 'Only then format' },
        {
          text: 'When you have opened your files in their new place, format the drive and test it. If the message comes back within weeks, throw the drive away: cards and sticks wear out.',
        },
      ],
    },
    {
      kind: 'cta',
      title: 'Not readable is not empty.',
      lead: 'Look at the card before you give it up. The scan is free.',
      actions: [
        { act: 'download', label: 'Try free', website: 'recovery' },
        { act: 'link', label: 'How it works', href: '/win-data-recovery' },
      ],
    },
  ],
} as const satisfies PageFile;

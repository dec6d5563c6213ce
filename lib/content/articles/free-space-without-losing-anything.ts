import type { PageFile } from '../page';

export default {
  name: 'Free space',
  order: 140,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'space',
    related: ['/user-guide/duplicate-finder', '/file-duplicate-finder', '/how-to/recover-permanently-deleted-files'],
  },
  seo: {
    title: 'How to free space without losing anything',
    description:
      'A full disk is mostly full of copies. Find the large ones, keep one of each, and delete in an order you can undo.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Free space without losing anything',
      lead: 'Don’t delete what you might need. Delete what you have twice, beginning with the largest copies, and leave everything in the bin for some days. That way each step can be undone.',
      picture: { drawing: 'dup-scan' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'See where the space went' },
        { text: 'Guessing deletes the wrong things. Both systems draw the picture for you.' },
        {
          text: 'Two or three folders usually hold more than half. Write them down; the rest is not worth your evening.',
        },
        {
          list: [
            '**Windows:** Settings, System, Storage. Click a line to see what is in it.',
            '**Mac:** System Settings, General, Storage.',
          ],
        },
        {
          picture: {
            drawing: 'g-storage',
            label: 'Bars for photos, downloads, backups and programs; photos and downloads hold more than half',
          },
        },
        { title: 'Start with what is safe' },
        {
          list: [
            'The bin, after a look inside.',
            'Downloads, sorted by size. Installers can be fetched again; papers belong elsewhere.',
            'Programs you don’t use. Remove them in the settings, not by deleting their folder.',
            'Temporary files. On Windows choose Storage, then Temporary files, and read what each line means before you tick it: “Downloads” is one of them.',
            'Old phone backups. On a Mac they stand in the Finder when the phone is connected, under Manage Backups.',
          ],
          ordered: true,
        },
        { title: 'Then the copies' },
        {
          text: 'Copies gather by themselves: the same pictures from the phone and from the cloud, a folder called “backup old”, a film in Downloads and in Videos.',
        },
        {
          picture: {
            drawing: 'g-copies-row',
            label: 'The same content lies in four places; the one in Photos is kept',
          },
        },
        {
          list: [
            'Make a backup of what you can’t do without. You are about to delete things.',
            'Scan your photo, download and backup folders. A [duplicate finder](/file-duplicate-finder) compares content, so it finds copies with other names too.',
            'Set a size range. Start with everything above 50 MB: a few films free more than a thousand letters.',
            'Lock the places where files belong, such as Photos and Work.',
            'Let a rule mark the others, look through the marks, and delete.',
          ],
          ordered: true,
        },
        { title: 'The free way' },
        {
          text: 'You can do without any program of ours. In the Explorer type size:>100MB into the search field; in the Finder search for a kind and add “File Size is greater than”. Sort by size, then by name: twins of the same size stand side by side. It takes longer and it can’t tell twins by content, so open both before you delete one.',
        },
        { title: 'Similar pictures last' },
        {
          text: 'Ten shots of one moment are not copies. Software can find them; only you can say which smile is the right one. Do this in peace, with a complete backup, and keep two when in doubt.',
        },
        {
          picture: {
            drawing: 'g-similar',
            label: 'Three pictures that look alike: one sharp, one with closed eyes, one blurred',
          },
        },
        { title: 'What not to delete' },
        {
          list: [
            'Folders named Windows, Program Files, Library, System or AppData. Copies in there are meant to be there.',
            'The insides of a photo library or of a mail folder. Delete within Photos or within the mail program, or it loses its index.',
            'One half of a pair: a raw photo and its JPEG, a film and its subtitles. They look like copies and are not.',
            'A cloud folder’s copy “because it is in the cloud”. In a synced folder both go.',
          ],
        },
        { title: 'Wait before you empty the bin' },
        {
          text: 'The space is free only when the bin is empty, but give it a few days first. If nothing is missed, empty it. If you deleted one file too many after all, [stop and read this](/how-to/recover-permanently-deleted-files).',
        },
        { title: 'Questions' },
        { title: 'How full may a disk be?', level: 3 },
        { text: 'Leave a tenth free. Below that Windows and macOS both slow down, and updates fail.' },
        { title: 'Does deleting copies speed up my computer?', level: 3 },
        { text: 'Only when the disk was almost full.' },
        { title: 'I deleted 20 GB and got none. Why?', level: 3 },
        {
          text: 'Look into the bin, and into Storage once more. On a Mac, local Time Machine snapshots hold the space for a while and let it go when it is needed.',
        },
        { title: 'Do I need both a RAW and a JPEG?', level: 3 },
        { text: 'If you edit, keep the RAW. If you don’t, keep the JPEG. If you don’t know, keep both.' },
      ],
    },
  ],
} as const satisfies PageFile;

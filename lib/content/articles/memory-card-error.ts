import type { PageFile } from '../page';

export default {
  name: 'The camera says “card error”',
  order: 35,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'lost',
    related: [
      '/how-to/drive-asks-to-be-formatted',
      '/how-to/half-grey-photo',
      '/user-guide/data-recovery-mac',
      '/data-recovery-mac',
      '/win-data-recovery',
    ],
  },
  seo: {
    title: '“Card error, format card”: save the photos first',
    description:
      'A camera or phone can’t read the memory card and wants to format it. Four checks, and how to get the photos off before you agree.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'The camera says “card error”',
      lead: 'Turn the camera off and take the card out. The photos are usually still on it. Read it in a computer with the lock on, copy what opens, and scan for the rest before anything is formatted.',
      picture: { drawing: 'g-card' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What the message means' },
        {
          text: 'A memory card holds photos and a table that says where each one begins. The camera changes that table with every picture. If the battery dies or the card comes out at that moment, the table no longer fits, and the camera gives up. It doesn’t look for the photos; it offers the one thing it can do, which is to format.',
        },
        { title: 'Four checks' },
        {
          list: [
            'Slide the small switch on the side of an SD card to “lock”. Now nothing can write to it, by mistake or otherwise.',
            'Wipe the contacts with a dry, soft cloth. Look for bent pins in the camera and in the reader.',
            'Try another reader. Old readers can’t read cards of the kinds SDXC and SDUC, and then every card looks broken.',
            'Put the card into the device that took the pictures and connect that by cable. Some cameras show the card as a drive or as a media device, although they complain themselves.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-drives', label: 'The card is read, and the photos are saved to the computer' } },
        { title: 'Copy what can be read' },
        {
          text: 'If the computer shows the folder DCIM, copy all of it to the computer before you open a single photo. Copy in small portions: when one photo stops the copy, skip it and go on with the next folder. Don’t move, copy. A move deletes behind itself.',
        },
        { title: 'Scan for the rest' },
        {
          list: [
            'Keep the lock on. A scan only reads.',
            'Start the recovery program, choose the card, and let the deep scan run. A card of 64 GB takes minutes to an hour, as its reader allows.',
            'Filter by type. Cameras write JPEG, and a raw format of their own such as CR3, NEF or ARW; look for both.',
            'Preview, select, and save to the computer.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'select', label: 'Photos that the scan found, four of them ticked to be recovered' } },
        {
          text: 'Photos that were cut or written over look half grey or don’t open. Keep them: [a repair](/how-to/half-grey-photo) often brings back a part, or at least the preview inside.',
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t take more pictures with that card. Each new one goes where an old one lies.',
            'Don’t let the camera “recover data” unless its manual says what that does. It writes to the card.',
            'Don’t dry a wet card with heat. Let it lie for a day.',
            'Don’t format in the computer afterwards. Format in the camera, which knows the layout it wants.',
          ],
        },
        { title: 'When nothing helps' },
        {
          text: 'A card that no reader sees, or that shows a size of zero, has a dead controller. Programs talk to that controller, so they can’t get past it. Laboratories can, by reading the memory chips; it is dear, and for microSD cards slower still. Ask for the price before you send it.',
        },
        { title: 'So that it doesn’t happen again' },
        {
          list: [
            'Switch off before you take the card out, and wait until the lamp is dark.',
            'Change batteries before they are empty, not after.',
            'Two small cards lose less than one large one.',
            'Copy on the day you took them, and format in the camera only when you have looked at the copy.',
          ],
        },
        {
          picture: {
            drawing: 'g-three-copies',
            label: 'Three copies of the photos: on the computer, on a disk at home, and in another place',
          },
        },
        { title: 'Questions' },
        { title: 'The card works in the camera but not in the computer. Why?', level: 3 },
        {
          text: 'Most often the reader is too old, or the computer lacks the file system exFAT. Use the camera and its cable.',
        },
        { title: 'I have formatted it in the camera already.', level: 3 },
        {
          text: 'Stop taking pictures and scan. Most cameras only write a new table; the photos lie there until new ones come.',
        },
        { title: 'The photos come back without names.', level: 3 },
        {
          text: 'Names stand in the table that broke. The day and the camera stand in each photo, and any photo program can sort by them.',
        },
        { title: 'Can I trust the card again?', level: 3 },
        {
          text: 'If it came out during writing, format it in the camera and try it with photos that don’t matter. If it failed at rest, no.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

import type { PageFile } from '../page';

export default {
  name: 'Protect data on a crashing laptop',
  order: 20,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'lost',
    related: [
      '/how-to/recover-permanently-deleted-files',
      '/how-to/open-a-corrupt-document',
      '/user-guide/data-recovery-windows',
      '/win-data-recovery',
    ],
  },
  seo: {
    title: 'How to protect your data on a crashing laptop',
    description:
      'Freezing, restarting, blue screens: save the files first, repair the laptop second. An order that loses nothing.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Protect data on a crashing laptop',
      lead: 'Copy first, repair later. Connect an external drive, copy what you can’t replace in small portions, and leave every update, clean-up and reset until that is done. Each crash can damage the file that is being written.',
      picture: { drawing: 'g-order' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'While it still starts' },
        {
          list: [
            'Plug in the power and an external drive before you open anything else.',
            'Copy what nobody else has: your own texts, photos, the folder of the work you are in.',
            'Then what you need this week. Then mail, music and the rest. Programs can be installed anew; don’t copy them.',
            'Copy folder by folder. If it crashes, you lose one portion, not the day.',
            'Look at the copy on another computer before you go on.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-stick',
            label: 'A laptop that won’t start is read from a stick, and its files go to an external drive',
          },
        },
        { title: 'If it crashes while copying' },
        { text: 'Find out what it crashes of. The three usual causes show themselves quickly.' },
        {
          text: 'Safe mode loads little and often holds where the normal start doesn’t. On Windows hold Shift while you choose Restart, then Troubleshoot, Startup Settings. On a Mac with Apple silicon hold the power button until the options appear, choose the disk, and hold Shift while you continue; on an older Mac hold Shift from the start.',
        },
        {
          list: [
            '**Heat.** The fan howls, the bottom is hot. Put it on something hard, blow the vents free, wait an hour, copy again.',
            '**A device or its driver.** Take everything out but the drive you copy to.',
            '**The disk.** Copying stops at the same file each time, or the computer freezes with the disk lamp on. Leave that file out, copy all others, and come back to it last.',
          ],
        },
        { title: 'If it doesn’t start any more' },
        {
          text: 'The files are usually fine. What is broken is the system that starts, or something else than the disk.',
        },
        {
          list: [
            'Start from a stick with a live system, such as Ubuntu in “try” mode. It reads Windows disks and writes nothing unless you ask.',
            'Or take the disk out and connect it to another computer with an adapter. In many laptops it is two screws away.',
            'A Mac with Apple silicon can share its disk with a second Mac by cable: choose Share Disk in the recovery options.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-drives',
            label: 'The disk of the laptop is read on another computer, and its files are saved elsewhere',
          },
        },
        {
          text: 'A disk that opens nowhere can be [scanned](/win-data-recovery) all the same, as long as it is listed and makes no new noises.',
        },
        { title: 'What not to do' },
        {
          list: [
            'No update, no “reset this PC”, no clean-up tool. All of them write gigabytes to a disk that may be failing.',
            'No defragmentation. It moves every file once.',
            'No ten restarts “to see if it goes away”. Every start writes.',
            'No repair shop before the copy. Shops put in new disks; that is their job, not your files.',
          ],
        },
        { title: 'Encrypted disks' },
        {
          text: 'Windows 11 turns on device encryption on many laptops, and every Mac with Apple silicon encrypts its disk. On another computer you then need the recovery key. Microsoft keeps it with your account under account.microsoft.com/devices/recoverykey; Apple asks for your password. Look for the key while the laptop still runs.',
        },
        { title: 'Check what you saved' },
        {
          text: 'Open some of the copies. A document or video that was open during a crash may be damaged. [A document](/how-to/open-a-corrupt-document) is often mended in a minute, online and free.',
        },
        { picture: { drawing: 'file-look', label: 'A repaired document is looked at before it is saved' } },
        { title: 'Then repair the laptop' },
        {
          text: 'Now update, reset or hand it in. Nothing on it is the only copy any more. Keep it so: one backup that runs by itself is worth more than any recovery.',
        },
        { title: 'Questions' },
        { title: 'Blue screen or black screen: does it matter?', level: 3 },
        { text: 'For your files, no. For the shop, yes: take a picture of the stop code.' },
        { title: 'How long may a failing disk run?', level: 3 },
        { text: 'As short as you can make it. Copy, then switch off.' },
        { title: 'Is the cloud enough as a backup?', level: 3 },
        {
          text: 'It keeps what you put into its folder, and deletes what you delete. Have a second place that doesn’t follow.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

import type { PageFile } from '../page';

export default {
  name: 'Protect data on a crashing laptop',
  order: 20,
  seo: {
    title: 'How to protect your data on a crashing laptop',
    description:
      'Freezing, restarting, blue screens: save the files first, repair the laptop second. An order that loses nothing.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Protect data on a crashing laptop',
      lead: 'Each crash can damage the file that is being written. So write little, copy first, repair later.',
      picture: { drawing: 'mac-choose' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'While it still starts' },
        {
          list: [
            'Connect an external drive before you open anything else.',
            'Copy what you can’t replace first: documents and photos, then mail, then the rest.',
            'Copy in small portions. If it crashes, you lose one portion, not the day.',
            'Don’t update, don’t clean up, don’t reset. All of that writes to the disk.',
          ],
          ordered: true,
        },
        { title: 'If it crashes while copying' },
        {
          list: [
            'Let it cool down, take out other devices, plug in the power.',
            'Start in safe mode (Windows: hold Shift while choosing Restart; Mac: hold Shift or the power button at the start) and copy there.',
            'If one file always brings it down, leave it out and come back to it at the end.',
          ],
        },
        { title: 'If it doesn’t start any more' },
        {
          text: 'The files are usually fine. Start it from a USB stick, or take the drive out and connect it to another computer. A drive that does not open there can be [scanned](/win-data-recovery) all the same.',
        },
        { title: 'Check what you saved' },
        {
          text: 'Open some of the copies. A document or video that was open during a crash may be damaged: repair it [online](/corrupted-file-recovery-online) if it is one, or [on your computer](/repair-tool) if there are many.',
        },
        { title: 'Then repair the laptop' },
        {
          text: 'Now update, reset or hand it in. Nothing on it is the only copy any more. Keep it so: one backup that runs by itself is worth more than any recovery.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

import { playbackErrors } from '../../catalog/facts';
import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';

export default {
  name: `Error ${playbackErrors[0]}`,
  order: 42,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/fix-video-playback-errors',
      '/how-to/interrupted-recording',
      '/video-repair-online',
      '/video-fixer',
    ],
  },
  seo: {
    title: 'Error 0xc00d36c4: what it means and how to fix it',
    description:
      'Windows can’t play an MP4, MOV or AVI and shows 0xc00d36c4. How to tell a missing decoder from a damaged file, and what to do about each.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Error 0xc00d36c4',
      lead: 'Windows is saying that it doesn’t know this kind of file. Either it lacks the decoder, or the beginning of the file is damaged. Play it in VLC: if it plays there, install a decoder; if not, repair the file.',
      picture: { drawing: 'g-code-a' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Where the number comes from' },
        {
          text: 'Windows reads videos through a part called Media Foundation. Each of its errors has a number. This one belongs to the name MF_E_UNSUPPORTED_BYTESTREAM_TYPE: the stream of bytes is of a kind that nobody here takes. Media Player, Movies & TV and the Photos app all show it, as all of them ask the same part. So the number says nothing about **why**. A sound file of a new kind gives it, and so does a broken file of an old one.',
        },
        { title: 'Find out which it is' },
        {
          list: [
            'Open the file in VLC. It brings its own decoders and forgives a lot.',
            'Right-click the file, choose Properties, then Details. Are length and frame size filled in? Then Windows understands the beginning.',
            'Look at the size. A video of 0 KB holds nothing; a video of a few KB holds next to nothing.',
            'Play another video of the same camera. Does it show the number too? Then it is the format, not this file.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-players', label: 'VLC plays the file, the player of Windows does not' } },
        { title: 'It is the format' },
        { text: 'Converting is a last resort. It takes long and loses a little; a player costs nothing.' },
        {
          list: [
            'Videos of newer phones are often recorded as HEVC. Windows 10 and 11 need the “HEVC Video Extensions” from the Microsoft Store for them.',
            'Films in MKV, OGG or WebM play in VLC or in the browser, whatever Windows thinks of them.',
            'Old AVI files may hold DivX or Cinepak. VLC knows both.',
            'On iPhones you can choose: Settings, Camera, Formats, Most Compatible records H.264, which Windows has always known.',
          ],
        },
        { title: 'It is a setting or the place' },
        {
          list: [
            'Copy the file to the computer’s own disk. On a network drive or a loose stick the player may get the first bytes too late.',
            'Is it on a card that came out of a camera? [Look at the card first](/how-to/memory-card-error).',
            'Update the driver of the graphics card, if only large or new videos fail.',
          ],
        },
        { title: 'It is the file' },
        {
          text: 'The beginning of a video tells what it is and where its pictures lie. In MP4 and MOV that index may also stand at the end. Damage there makes all of it unplayable, although every picture is whole.',
        },
        {
          picture: {
            drawing: 'g-recording',
            label: 'A whole recording ends with an index; in a broken one it is missing',
          },
        },
        {
          list: [
            'Fetch the file once more from where it came from, if you can.',
            `[Repair it online](${onlineTools.video.route}). Upload, wait, read the report. The result is a new file; yours stays as it is.`,
            'If the report asks for a sample, add a video that works, from the same camera and with the same settings.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-sample',
            label: 'A working video of the same camera tells how the broken one is read',
          },
        },
        { title: 'What doesn’t help' },
        {
          list: [
            'Renaming the ending. The content stays what it is.',
            'Cleaning the registry, or “codec packs” of unknown origin. The first does nothing here, the second may bring worse than a number.',
            'Running the file system check again and again. It looks after folders, not after videos.',
          ],
        },
        { title: 'What can’t be repaired' },
        {
          text: 'A protected video, bought or rented, plays in its own app only. A file that was overwritten by another one is that other file now. And noise from a failing drive has nothing of your film in it: get the drive read first.',
        },
        { title: 'Questions' },
        { title: 'Music gives the same number. Why?', level: 3 },
        { text: 'The number is about any media file. For sound the way is the same: VLC first, then another copy.' },
        { title: 'It happens with every file since an update.', level: 3 },
        {
          text: 'Then it is Windows. Open Settings, Apps, find the player, and choose Repair or Reset under Advanced options. Your files are in order.',
        },
        { title: 'Is 0xc00d36c4 the same as 0xc00d5212?', level: 3 },
        { text: 'No. That one means that the decoder is missing, and nothing else. Here it may be the file too.' },
      ],
    },
  ],
} as const satisfies PageFile;

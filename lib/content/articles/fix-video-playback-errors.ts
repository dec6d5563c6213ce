import { playbackErrors } from '../../catalog/facts';
import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { limit } from '../phrases';

export default {
  name: 'Fix video playback errors',
  order: 40,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/error-0xc00d36c4',
      '/how-to/error-224003',
      '/how-to/error-232011',
      '/how-to/interrupted-recording',
      '/user-guide/repair',
      '/repair-results',
      '/video-repair-online',
      '/video-fixer',
    ],
  },
  seo: {
    title: `How to fix video errors ${playbackErrors.join(', ')}`,
    description:
      'What the three codes mean, how to find out whether the player or the file is at fault, and how to repair the file.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: `Fix ${playbackErrors[0]} and its relatives`,
      lead: 'An error code is one player’s opinion, so ask a second player before you believe it. If the video plays there, the first player is the problem. If it fails everywhere at the same place, the file is damaged, and can often be repaired.',
      picture: { drawing: 'video-run' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Three codes, three places' },
        {
          table: {
            caption: 'Who says what',
            columns: ['Code', 'Who says it', 'What it means', 'First thing to do'],
            rows: [
              [
                `[${playbackErrors[0]}](/how-to/error-0xc00d36c4)`,
                'Players of Windows',
                'This kind of file is not known, or its beginning is damaged',
                'Play it in VLC',
              ],
              [
                `[${playbackErrors[1]}](/how-to/error-224003)`,
                'Players in web pages',
                'The browser could not play what it got',
                'Another browser',
              ],
              [
                `[${playbackErrors[2]}](/how-to/error-232011)`,
                'Players in web pages',
                'The stream’s list did not load',
                'Another network',
              ],
            ],
          },
        },
        {
          text: 'The first is about a file on your disk. The other two are about a page, and nothing on your computer needs a repair.',
        },
        {
          picture: {
            drawing: 'video-codes',
            label: 'A player says that the video cannot be played, and names its error code',
          },
        },
        { title: 'Player or file?' },
        {
          list: [
            'Play another video in the same player. Does it work? Then the player is in order.',
            'Play the broken one in another player. VLC and the browser each bring decoders of their own.',
            'Copy it once more from the card, or download it again, and compare the sizes to the byte.',
            'Let it play to the end. Fails everywhere, at the same second? Then the file is damaged there.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-players', label: 'The same video fails in one player and plays in the other' } },
        { title: 'If it is the player' },
        {
          list: [
            'Update it. Cameras learn new formats faster than computers do.',
            'On Windows, videos of newer phones and cameras may need the HEVC extension from the Microsoft Store.',
            'Rename nothing. Changing .mov into .mp4 changes the name only, and confuses the next program.',
          ],
        },
        { title: 'If it is the copy' },
        {
          text: 'Half a download has a whole beginning, so it looks like a video and stops in the middle. No repair can add what never arrived.',
        },
        { picture: { drawing: 'g-half', label: 'A copy of 180 MB of a file of 412 MB: the rest never arrived' } },
        {
          text: 'Look for another copy first: the card, the phone, the cloud, the person who sent it. Ask for the original rather than for what a messenger made of it: those are often smaller copies.',
        },
        { title: 'If it is the file' },
        {
          list: [
            'Keep the original and work on a copy.',
            `Repair [one video online](${onlineTools.video.route}). It costs nothing, takes files ${limit('video')}, and shows a report of what was found.`,
            'Does the report ask for a sample? Then add a working video of the same camera with the same settings. It tells how the broken one was recorded.',
            'For larger files, or a whole card of them, use [the desktop program](/video-fixer).',
            'Play the result to the end before you delete anything.',
          ],
          ordered: true,
        },
        { title: 'What a repair can do, and what not' },
        {
          text: 'It can make a lost index anew, put sizes and times right, and step over a damaged place so that the rest plays. It can’t invent pictures. Where data is gone you will see a jump or a still frame, and the report says where.',
        },
        { title: 'So that it doesn’t happen again' },
        {
          text: 'Stop the recording before you pull the card or change the battery. Eject drives before you unplug them. Format cards in the camera, not in the computer.',
        },
        { title: 'Questions' },
        { title: 'The sound plays, the picture is black. Is that damage?', level: 3 },
        { text: 'Mostly not. The player lacks the decoder for the picture; try another player before any repair.' },
        { title: 'Picture and sound drift apart.', level: 3 },
        {
          text: 'A variable frame rate, as phones record it, upsets some editors. Players handle it. A repair would change nothing.',
        },
        { title: 'It plays on the phone, not on the computer.', level: 3 },
        {
          text: 'The phone knows its own format. Install the decoder, or send the video through a program that converts while it sends.',
        },
        { title: 'Will converting fix it?', level: 3 },
        {
          text: 'A converter has to read the whole file first, just as a player does. What a player can’t open, a converter mostly can’t either.',
        },
        { title: 'Does a repair lower the quality?', level: 3 },
        { text: 'No. Pictures and sound are copied as they are; only what leads to them is written anew.' },
      ],
    },
  ],
} as const satisfies PageFile;

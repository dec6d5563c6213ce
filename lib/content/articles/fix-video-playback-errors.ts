import { playbackErrors } from '../../catalog/facts';
import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { limit } from '../phrases';

const [code, second, third] = playbackErrors;

export default {
  name: 'Fix video playback errors',
  order: 40,
  seo: {
    title: `How to fix video errors ${code}, ${second} and ${third}`,
    description:
      'What the three codes mean, how to find out whether the player or the file is at fault, and how to repair the file.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: `Fix ${code} and its relatives`,
      lead: 'An error code is the player’s opinion. Ask a second player before you believe it.',
      picture: { drawing: 'video-run' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What the codes say' },
        {
          list: [
            `**${code}**: the player knows the file type but can’t read the file.`,
            `**${second}**: the video can’t be played in the browser.`,
            `**${third}**: the video failed to load.`,
          ],
        },
        { title: 'Player or file?' },
        {
          list: [
            'Play another video in the same player. Does it work? Then the player is fine.',
            'Play the broken one in another player, and in another browser.',
            'Copy it again from the card or download it again, and compare the sizes.',
            'Fails everywhere, at the same place? Then the file is damaged.',
          ],
          ordered: true,
        },
        { title: 'If it is the browser' },
        {
          text: 'Clear the browser’s cache, switch extensions off for a moment, and try without a VPN. These codes are often about the connection.',
        },
        { title: 'If it is the file' },
        {
          list: [
            `Repair it [online](${onlineTools.video.route}): free, one video ${limit('video')}.`,
            'Larger, or more than one: repair it [on your computer](/video-fixer).',
            'Play the result to the end before you delete anything.',
          ],
          ordered: true,
        },
        { title: 'So that it doesn’t happen again' },
        {
          text: 'Stop the recording before you pull the card or change the battery. Eject drives before you unplug them. Format cards in the camera, not in the computer.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

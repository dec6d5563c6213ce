import { playbackErrors } from '../../catalog/facts';
import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';

export default {
  name: `Error ${playbackErrors[1]}`,
  order: 43,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: ['/how-to/fix-video-playback-errors', '/how-to/error-232011', '/video-repair-online'],
  },
  seo: {
    title: 'Error 224003: this video can’t be played',
    description:
      'A page shows “This video file cannot be played (error 224003)”. What to try in the browser, what the owner of the page can do, and when it is the file.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Error 224003',
      lead: 'The player in a web page handed the video to your browser, and the browser could not play it. Reload, then try a second browser without extensions. If it works there, clean up the first; if it fails everywhere, the page’s video is at fault, and only its owner can mend it.',
      picture: { drawing: 'g-code-b' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What happened' },
        {
          text: 'A video in a page goes through three hands. A server sends it, a script in the page (the player) takes it, and the browser decodes and shows it. The number belongs to the player, and says that the third hand dropped it. Common reasons are an extension that changes requests, a file that was cut on its way, a decoder that the browser lacks, or a graphics driver that gave up. Nothing on your disk is damaged by it.',
        },
        { title: 'Two minutes, in this order' },
        {
          list: [
            'Reload the page. A piece may simply have been lost.',
            'Play another video of the same page. Works? Then it is that one video.',
            'Open the page in a private window. Extensions are mostly off there. Works? Then one of them is the reason: ad blockers, download helpers and script blockers come first.',
            'Open it in a second browser. Works? Then clear the first one’s cache for this page.',
            'Open it on your phone without Wi-Fi. Works? Then your network filters something.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-players', label: 'The video fails in one browser and plays in the other' } },
        { title: 'Clean up the browser' },
        { text: 'Then update the browser. Decoders come with it, so an old browser can’t play what new pages send.' },
        {
          list: [
            '**Chrome and Edge:** click the symbol at the left of the address, choose Site settings, and delete the data of this page alone. There is no need to empty everything.',
            '**Firefox:** click the padlock, then Clear cookies and site data.',
            '**Safari:** Settings, Privacy, Manage Website Data, and remove the page.',
          ],
        },
        { title: 'Hardware acceleration' },
        {
          text: 'If videos fail in all pages, turn “Use graphics acceleration when available” off in the browser’s system settings and start it anew. If that helps, update the driver of the graphics card, and turn it on again.',
        },
        { title: 'Networks that get in the way' },
        {
          text: 'A VPN, a proxy at work or a “secure browsing” filter may cut long answers or change their type. Switch it off for one test. A hotel network often wants you to sign in again before it lets anything large through.',
        },
        { picture: { drawing: 'g-half', label: 'Only half of the video arrived, so the player stops' } },
        { title: 'If you have the file' },
        {
          text: 'Perhaps you downloaded the video, or it is your own and you put it on the page. Then test the file itself.',
        },
        {
          list: [
            'Drag it into a browser window. The browser plays it, or says no without any page around it.',
            'Compare its size with the original’s.',
            `Damaged? [Repair it](${onlineTools.video.route}), look at the result, and upload it again.`,
            'In order, but not in the browser? Browsers want MP4 with H.264 and AAC, or WebM. MKV, AVI and most HEVC files are for players on a computer.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'video-look', label: 'A repaired video plays in the preview' } },
        { title: 'What doesn’t help' },
        {
          text: 'Reinstalling the system, a “codec pack”, Flash in any form. Browsers use no codec of yours, and pages have not used Flash since 2020.',
        },
        { title: 'What only the owner can do' },
        {
          text: 'If it fails for everybody, in every browser, write to the owner of the page with the address, the time and the number. They have to upload the file anew or encode it in a format that browsers know. No program on your side can mend a file on their server.',
        },
        { title: 'Questions' },
        { title: 'It plays for a minute and then stops with 224003.', level: 3 },
        {
          text: 'One damaged place, or a connection that broke. Jump a minute ahead: if it goes on, it was the place.',
        },
        { title: 'Only full screen fails.', level: 3 },
        { text: 'That is the graphics driver. Switch acceleration off for a test.' },
        { title: 'The page works for others in my house.', level: 3 },
        {
          text: 'Then it is this device: the browser, an extension, or its clock. A clock that is wrong by hours breaks secure connections.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

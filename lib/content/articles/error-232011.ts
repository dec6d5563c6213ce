import { playbackErrors } from '../../catalog/facts';
import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';

export default {
  name: `Error ${playbackErrors[2]}`,
  order: 44,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: ['/how-to/fix-video-playback-errors', '/how-to/error-224003'],
  },
  seo: {
    title: 'Error 232011: this video failed to load',
    description:
      'A stream in a web page stops with 232011. It is about the connection, not about a file: what to switch off, what to check, and what only the site can do.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Error 232011',
      lead: 'The player could not load the list of pieces that the stream is made of. Something between you and the site refused or blocked it: an extension, a VPN, a filter, or the site itself. Switch those off one by one; there is no file to repair.',
      picture: { drawing: 'g-code-c' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'How a stream works' },
        {
          text: 'A long video is not sent in one go. The site cuts it into pieces of some seconds and publishes a list of them. The player loads the list, then piece after piece, and swaps to smaller ones when the line gets slow.',
        },
        {
          picture: {
            drawing: 'g-pieces',
            label: 'A list names the pieces of a stream; without the list, or without the next piece, nothing plays',
          },
        },
        {
          text: 'The number comes up when the list itself can’t be had. The server said no, or the answer came from a place that the browser does not trust for this page, or no answer came at all.',
        },
        { title: 'Find the one who says no' },
        {
          list: [
            'Reload once. Servers have bad moments, too.',
            'Try another page with video. Works there? Then it is this site or what stands in front of it.',
            'Private window, no extensions. Works? Switch your extensions on again one after the other, blockers first.',
            'Switch the VPN off, or on. Many streams are sold by country and refuse addresses that look foreign or shared.',
            'Phone, without Wi-Fi. Works? Then look at your router, at the DNS filter or at the network of your office.',
            'Is the device’s clock right? Links to pieces are often valid for minutes only, and a wrong clock makes them old.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-players', label: 'The stream plays in a private window and fails in the usual one' } },
        { title: 'Things that block without telling' },
        {
          list: [
            'Ad and tracker blockers. Streams and ads often come from the same place.',
            'Antivirus programs that read secure connections.',
            'Parental controls, in the router or at the provider.',
            'A company’s proxy. It may allow the page and refuse the place that the pieces come from.',
            'A list of blocked names, such as Pi-hole. Its log shows what it refused while you pressed play.',
          ],
        },
        { title: 'A look behind the page' },
        {
          text: 'You can see who refuses without any special knowledge. Press F12, choose Network, reload the page and press play. Look for a line in red whose name ends in .m3u8 or .mpd.',
        },
        {
          list: [
            '**403**: the server doesn’t let you. Sign in again, or it is your country.',
            '**404**: the list is gone. Only the site can put it back.',
            '**(blocked)**: something in your browser did it. That is an extension.',
            '**CORS error**: the site forgot to allow its own page. Tell them; you can’t change it.',
          ],
        },
        { picture: { drawing: 'g-code-c', label: 'The player says that the video failed to load' } },
        { title: 'Short answers for television sets and boxes' },
        {
          text: 'Switch the device off for a minute, so that it forgets what it learnt. Update the app. Set DNS to automatic. Use the cable instead of Wi-Fi for one test.',
        },
        { title: 'What doesn’t help' },
        {
          list: [
            'Repairing anything. A stream leaves no file on your disk, and ours repairs files.',
            'Clearing the whole history. Delete the data of this one page if you must.',
            'Programs that promise to “fix error 232011”. It is not on your computer.',
          ],
        },
        { title: 'If you want to keep the video' },
        {
          text: `Ask its owner for a copy, or use the download that the site offers. If such a copy is damaged, that is a case for [a repair](${onlineTools.video.route}); the number above is not.`,
        },
        { title: 'Questions' },
        { title: 'Why does it work in the evening and not at noon?', level: 3 },
        { text: 'At work it is the network there. At home, a busy server refuses whom it can’t serve.' },
        { title: 'The number is 232001 or 232404. Is that the same?', level: 3 },
        {
          text: 'They are neighbours: numbers of the same player, about loading a stream. The steps above are the same.',
        },
        { title: 'Is it a virus?', level: 3 },
        { text: 'No. The number is a plain message of a player that many sites use.' },
        { title: 'Will a faster line help?', level: 3 },
        { text: 'Only if it broke off in the middle. A slow line gives smaller pieces, not this number.' },
      ],
    },
  ],
} as const satisfies PageFile;

import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { limit } from '../phrases';

export default {
  name: 'Save an interrupted recording',
  order: 50,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/fix-video-playback-errors',
      '/how-to/memory-card-error',
      '/user-guide/repair',
      '/repair-results',
      '/video-repair-online',
      '/video-fixer',
    ],
  },
  seo: {
    title: 'Interrupted recording: how to save the video',
    description:
      'The battery died or the card came out while recording, and the video doesn’t open. Why everything may still be there, and how to get it to play.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Save an interrupted recording',
      lead: 'The pictures are most likely all there. What is missing is the index, which cameras write when you press stop. Let the camera try first, then have the index made anew; a working video of the same camera helps.',
      picture: { drawing: 'g-recording' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What is missing' },
        {
          text: 'While it records, a camera writes pictures and sound one after the other. Only at the end does it write down where each one lies, how it is decoded and when it is shown. Without that part, the file is a heap of data: hundreds of megabytes, and no player knows where to begin. Files that ended this way have telling names and sizes. They are large, they show no length, and some cameras call them .dat, .tmp, .rsv or give them no ending.',
        },
        { title: 'First, let the camera do it' },
        { text: 'If the camera wants to format instead, say no and switch it off.' },
        {
          list: [
            'Put the card back and switch the camera on with a full battery. Many notice the open file and close it: “Recovering last clip …”.',
            'Drones and action cameras do this too, some only with the very card in the very same slot.',
            'Wait until it is done, even if that takes ten minutes. Then copy the clip.',
          ],
          ordered: true,
        },
        { title: 'Then copy, and keep the original' },
        {
          text: 'Copy the file to the computer and work on the copy. If it won’t copy, or shows 0 bytes, [the card comes first](/how-to/memory-card-error): the content lies on it, but its list of files doesn’t say so.',
        },
        { picture: { drawing: 'g-drives', label: 'The card is read, and what was recorded is saved to the computer' } },
        { title: 'Make the index anew' },
        {
          list: [
            'Record ten seconds with the same camera: the same resolution, frame rate and format as the broken clip. Best before you change any setting.',
            `Open [the online repair](${onlineTools.video.route}), and add the broken file, which has to be ${limit('video')}.`,
            'If the report asks for a working video, add your ten seconds.',
            'Play the result to the end, with sound.',
          ],
          ordered: true,
        },
        {
          picture: {
            drawing: 'g-sample',
            label: 'The index is made anew, by what a working video of the same camera tells',
          },
        },
        {
          text: 'The sample is not a template for your pictures. It tells how this camera describes them: which decoder, which settings, how sound and picture alternate. Without one we look for these facts in the pictures themselves, which works for many cameras, and takes longer.',
        },
        { title: 'Recorders that write as they go' },
        {
          text: 'Not every format keeps its index for the end. Transport streams (MTS, M2TS), fragmented MP4 and most MKV describe themselves all along. Cut off, they lose their last second and nothing else. If such a file doesn’t open, it is damaged in another way.',
        },
        { title: 'What not to do' },
        {
          list: [
            'No second recording on that card. It would go exactly where the unclosed clip lies.',
            'No conversion of the heap with an editor or on a site that promises any format. Without an index there is nothing to read.',
            'No cutting at the beginning. A repair needs every byte in its place.',
          ],
        },
        { title: 'Free ways besides ours' },
        {
          text: 'VLC has a setting for AVI files without an index, under Input / Codecs. For MP4 from many phones and cameras there is the open program untrunc, for those who don’t fear a command line; it wants a sample as well.',
        },
        { title: 'What can’t be saved' },
        {
          text: 'The last seconds before the power went: they were in the camera’s memory, not on the card. Files of which the card returns zeros only. And clips that lie in pieces on a very full card, when later recordings took the places in between; then some of the pieces are another film’s.',
        },
        { picture: { drawing: 'video-save', label: 'Three repaired videos are ready to be saved' } },
        { title: 'So that it doesn’t happen again' },
        {
          list: [
            'Change batteries at half, not at the beep.',
            'Record long events in several clips. One accident then costs one clip.',
            'Use cards of the speed class that the manual asks for. Slow ones make cameras stop.',
          ],
        },
        { title: 'Questions' },
        { title: 'The clip is 4 GB, exactly. Is it broken?', level: 3 },
        { text: 'No. Cameras cut at that size, as the card’s file system ends there. The next file goes on.' },
        { title: 'It plays now, but too fast.', level: 3 },
        { text: 'The frame rate was a guess. Add a sample with the right rate and repair the original again.' },
        { title: 'Can I repair a clip from a dashcam?', level: 3 },
        { text: 'Mostly. They write short files and are switched off without warning, so they are made for this.' },
      ],
    },
  ],
} as const satisfies PageFile;

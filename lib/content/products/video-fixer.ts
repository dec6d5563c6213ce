import { brands } from '../../catalog/brands';
import { playbackErrors } from '../../catalog/facts';
import { desktopLimitText, onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import {
  buyNow,
  repairCta,
  repairName,
  repairNote,
  repairQuestions,
  repairSpecifications,
  screens,
  tryOnline,
} from '../parts/repair-words';
import { extensionsSummary } from '../phrases';
import { comparison, playbackCodes } from '../screens/tools';

const mainWindow = {
  drawing: 'video-window',
  label:
    'Mendara Repair with six videos. One that showed error 0xc00d36c4 plays again in the preview; a list says what was done.',
} as const;

export default {
  name: 'Video Repair',
  order: 60,
  menus: [{ in: 'tools', order: 20, line: 'Recordings that won’t play', icon: 't-video' }],
  seo: {
    title: `Repair videos on your computer, many at once | ${brands.mendara.name}`,
    description: `Fix videos that won’t play, stop halfway or lost their sound: ${extensionsSummary('video')}. Up to ${desktopLimitText}, in batches, with preview.`,
  },
  sections: [
    {
      kind: 'banner',
      product: { name: `${repairName} for video`, tile: 't-video' },
      title: 'It recorded. It just won’t play.',
      lead: 'A card pulled too early, an empty battery, a transfer that broke off: the pictures are often all there, only the index is not. Rebuild it and watch the result before you save.',
      actions: [tryOnline('video'), buyNow],
      note: repairNote,
      picture: mainWindow,
    },
    {
      kind: 'facts',
      facts: [
        { value: `Up to ${desktopLimitText}`, label: 'for each video' },
        { value: 'Many at once', label: 'batch repair on the computer' },
        { value: `${onlineTools.video.extensions.length} formats`, label: extensionsSummary('video') },
        { value: 'Preview', label: 'before you save' },
      ],
    },
    {
      kind: 'steps',
      id: 'steps',
      title: 'Add, wait, watch, save.',
      lead: 'There is nothing to set. The repair starts by itself and leaves the original as it is.',
      steps: [
        { title: 'Add', text: 'Drop in one video or a whole folder.', picture: { drawing: 'video-add' } },
        {
          title: 'Scan and repair',
          text: 'Each file is checked and repaired automatically.',
          picture: { drawing: 'video-run' },
        },
        { title: 'Preview', text: 'Play the result and read what was done.', picture: { drawing: 'video-look' } },
        { title: 'Save', text: 'Save to download what convinces you.', picture: { drawing: 'video-save' } },
      ],
    },
    {
      kind: 'features',
      tight: true,
      title: 'What can be put right',
      features: [
        {
          title: 'Most damage is in the order, not in the picture.',
          text: 'A video file is pictures and sound in small pieces, with an index that says where each one is and when it is shown. If the index is missing, it can be written again from the pieces.',
          picture: {
            drawing: 'video-breaks',
            label: 'Three kinds of damage as blocks: a missing index, wrong times, missing pieces.',
          },
          ticks: [
            'Missing or wrong index',
            'Picture and sound out of step',
            'Recordings that were cut off: what is there is kept',
          ],
        },
        {
          title: `${playbackErrors[0]} is not the end.`,
          text: 'An error code says that the player gave up, not that the recording is lost. The scan shows how much of it is whole.',
          picture: {
            drawing: 'video-codes',
            label: `A player that shows error ${playbackErrors[2]} instead of a video.`,
          },
          bare: true,
        },
      ],
    },
    { ...playbackCodes, tone: 'mist' },
    {
      kind: 'lists',
      title: 'From the phone to the film camera.',
      devices: {
        title: 'Recorded with',
        items: [
          { icon: 'smartphone', label: 'Phone' },
          { icon: 'video', label: 'Camcorder' },
          { icon: 'camera', label: 'Photo camera' },
          { icon: 'plane', label: 'Drone' },
          { icon: 'film', label: 'Action camera' },
          { icon: 'monitor', label: 'Screen recorder' },
          { icon: 'laptop', label: 'Webcam' },
          { icon: 'memory-stick', label: 'Dashcam' },
        ],
      },
      types: {
        title: 'File types',
        groups: [
          { name: 'Phones and cameras', list: 'MP4, MOV, M4V, 3GP' },
          { name: 'Camcorders', list: 'MTS, M2TS, MXF' },
          { name: 'Action and 360°', list: 'MP4, INSV' },
          { name: 'From the web', list: 'MKV, AVI, FLV' },
        ],
      },
    },
    {
      kind: 'gallery',
      tone: 'mist',
      title: 'Play it before you keep it.',
      name: repairName,
      screens: [screens.video, screens.start, screens.photo],
    },
    comparison('video', { label: 'Repair one video online', href: onlineTools.video.route }),
    {
      kind: 'questions',
      tight: true,
      title: 'Questions and specifications',
      questions: [
        {
          question: 'Can a video with 0 KB be repaired?',
          answer:
            'No. A file without content holds nothing to rebuild. If the card still has the recording, [data recovery](/win-data-recovery) may find it there. An [interrupted recording](/how-to/interrupted-recording) is another matter.',
        },
        {
          question: 'Will the quality get worse?',
          answer:
            'No. Picture and sound are put in order again, not compressed again. Only what was lost is missing, and the report names it.',
        },
        {
          question: 'How long does it take?',
          answer: 'A few minutes for a phone video, longer for large files. You can add more while it runs.',
        },
        ...repairQuestions,
      ],
      specifications: repairSpecifications('video'),
    },
    repairCta('Watch it before\nyou pay for it.', 'Download, add your videos and look at the preview.'),
  ],
} as const satisfies PageFile;

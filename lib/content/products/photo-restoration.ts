import { brands } from '../../catalog/brands';
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
import { comparison, photoSigns } from '../screens/tools';

const mainWindow = {
  drawing: 'photo-window',
  label: 'Mendara Repair with a beach photo: shifted bands and a grey part before, the whole picture in the preview.',
} as const;

export default {
  name: 'Photo Repair',
  order: 70,
  menus: [{ in: 'tools', order: 30, line: 'Pictures with grey or shifted parts', icon: 't-photo' }],
  seo: {
    title: `Repair damaged photos, RAW files too | ${brands.mendara.name}`,
    description: `Fix photos with grey areas, shifted bands or wrong colours: ${extensionsSummary('photo')}. Up to ${desktopLimitText}, in batches, with preview and AI repair.`,
  },
  sections: [
    {
      kind: 'banner',
      product: { name: `${repairName} for photo`, tile: 't-photo' },
      title: 'Half the photo is grey. Half of it isn’t gone.',
      lead: 'One broken spot spoils everything after it. Repair the spot, and what follows falls back into place. You see before and after side by side.',
      actions: [tryOnline('photo'), buyNow],
      note: repairNote,
      picture: mainWindow,
    },
    {
      kind: 'facts',
      facts: [
        { value: `${onlineTools.photo.extensions.length} formats`, label: extensionsSummary('photo') },
        { value: 'Many at once', label: 'batch repair on the computer' },
        { value: `Up to ${desktopLimitText}`, label: 'for each photo' },
        { value: 'Side by side', label: 'preview before you save' },
      ],
    },
    {
      kind: 'steps',
      id: 'steps',
      title: 'Four steps, one of them yours.',
      lead: 'Add the photos. Scan and repair run by themselves, and the originals stay untouched.',
      steps: [
        { title: 'Add', text: 'Single pictures or the whole card.', picture: { drawing: 'photo-add' } },
        {
          title: 'Scan and repair',
          text: 'Damage is found and repaired automatically.',
          picture: { drawing: 'photo-run' },
        },
        { title: 'Preview', text: 'Before and after, as large as you like.', picture: { drawing: 'photo-look' } },
        { title: 'Save', text: 'Save to download the ones you keep.', picture: { drawing: 'photo-save' } },
      ],
    },
    {
      kind: 'features',
      tight: true,
      title: 'For the pictures that matter',
      features: [
        {
          title: 'A whole card, not one picture at a time.',
          text: 'Cards fail by the dozen. Add everything, let it run, and look only at what is marked.',
          picture: {
            drawing: 'photo-grid',
            label: 'Six photos of a card: three still damaged, three repaired.',
          },
          ticks: ['Batch repair', 'Each picture marked damaged, repaired or healthy'],
        },
        {
          title: 'RAW files of the large camera makers.',
          text: 'CR2, CR3, CRW, NEF, NRW, RAF, ARW, GPR, DNG and TIFF, besides JPG and PNG. A preview is shown for each.',
          picture: { drawing: 'photo-raw', label: 'Twelve photos in twelve formats, from JPG to PNG.' },
        },
        {
          title: 'AI repair, for gaps nothing else can fill.',
          text: 'Where data is missing for good, AI repair proposes what may have been there. That is a guess, so it is framed in the preview and you decide.',
          picture: {
            drawing: 'photo-ai',
            label: 'A photo with a missing lower part beside a preview in which AI repair filled the framed part.',
          },
          ticks: ['Off until you switch it on', 'Guessed parts are framed', 'Plain repair is kept beside it'],
        },
      ],
    },
    { ...photoSigns, tone: 'mist' },
    {
      kind: 'lists',
      title: 'Where your pictures come from.',
      devices: {
        title: 'Taken with',
        items: [
          { icon: 'camera', label: 'Camera' },
          { icon: 'smartphone', label: 'Phone' },
          { icon: 'plane', label: 'Drone' },
          { icon: 'video', label: 'Action camera' },
          { icon: 'memory-stick', label: 'Memory card' },
          { icon: 'usb', label: 'USB stick' },
          { icon: 'hard-drive', label: 'External drive' },
          { icon: 'image', label: 'Scanner' },
        ],
      },
      types: {
        title: 'File types',
        groups: [
          { name: 'Everyday', list: 'JPG, JPEG, PNG' },
          { name: 'RAW', list: 'CR2, CR3, CRW, NEF, NRW, RAF, ARW, GPR' },
          { name: 'Archive and print', list: 'TIF, TIFF, DNG' },
        ],
      },
    },
    {
      kind: 'gallery',
      tone: 'mist',
      title: 'The whole card in one window.',
      name: repairName,
      screens: [screens.photo, screens.start, screens.file],
    },
    comparison('photo', { label: 'Repair one photo online', href: onlineTools.photo.route }),
    {
      kind: 'questions',
      tight: true,
      title: 'Questions and specifications',
      questions: [
        {
          question: 'Can blurred photos be sharpened?',
          answer:
            'No. A blurred photo is a whole file that shows something blurred. Repair is for files whose data is damaged, such as [photos that are half grey](/how-to/half-grey-photo).',
        },
        {
          question: 'The photo shows only a small preview. Is it lost?',
          answer:
            'Not always. Many cameras store a small picture beside the large one. If the large one can’t be saved, the small one can.',
        },
        {
          question: 'Should I format the card first?',
          answer:
            'No. Take the card out of the camera, copy what you can, and keep it as it is until you have checked the repaired pictures.',
        },
        ...repairQuestions,
      ],
      specifications: repairSpecifications('photo'),
    },
    repairCta('See the picture first.', 'Download, add your photos and compare before and after.'),
  ],
} as const satisfies PageFile;

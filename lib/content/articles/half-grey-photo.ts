import { desktopLimitText, onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';
import { limit } from '../phrases';

export default {
  name: 'Repair a half grey photo',
  order: 60,
  changed: '2026-11-22',
  text: {
    published: '2026-11-20',
    problem: 'broken',
    related: [
      '/how-to/memory-card-error',
      '/how-to/recover-permanently-deleted-files',
      '/user-guide/repair',
      '/repair-results',
      '/photo-restoration-online',
      '/photo-restoration',
    ],
  },
  seo: {
    title: 'Photo half grey: why, and what can be brought back',
    description:
      'The top of a JPEG shows, the rest is grey, striped or in the wrong colours. What broke, how to repair it free, and when only the preview is left.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'A photo that is half grey',
      lead: 'One damaged place is enough: a JPEG is read from top to bottom, and everything below the fault is lost to the reader, not from the file. Fetch the photo again from where it came from; if every copy is grey, a repair can often read on behind the fault.',
      picture: { drawing: 'g-grey' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'Why grey, and why below' },
        {
          text: 'A JPEG stores a picture as one long string of codes of different lengths. A reader has to follow it from the first to the last. One wrong bit, and it loses its step: from there on it reads the right bits at the wrong places. Some programs then stop and leave grey; others go on and show stripes, shifted halves or odd colours. The codes below the fault are mostly in order. What is missing is the knowledge where the next one begins.',
        },
        { title: 'Look for a better copy' },
        {
          list: [
            'Copy the photo again from the card or the phone. A loose contact damages the copy, not the original.',
            'Look in the cloud, in the messenger you sent it with, in the mail.',
            'Download it again, if that is where it came from, and compare the sizes.',
            'Open it in a second program. If one shows more than the other, save what it shows.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'g-half', label: 'The copy is shorter than the photo on the card: copy it again' } },
        {
          text: 'A copy that is **shorter** was cut. Nothing can bring back what is not in it, so this step is worth some minutes.',
        },
        { title: 'Repair it' },
        {
          list: [
            `Open [the photo repair](${onlineTools.photo.route}) and add the photo. It takes JPEG, PNG, TIFF and the raw formats of the large makers, each file ${limit('photo')}.`,
            'Wait for the report. It says what was wrong and what was lost, in rows or in pixels.',
            'Compare. Where data is gone for good you see a filled stripe, and the report names it.',
          ],
          ordered: true,
        },
        { picture: { drawing: 'photo-look', label: 'The photo before and after the repair, side by side' } },
        {
          text: `What happens in between: the wrong bit is looked for where the string breaks; if it can’t be found, reading goes on at the next place that makes sense, and the blocks behind it are put where they belong, by how well they fit their neighbours in brightness and colour. Larger files, or a folder full of them? [The desktop program](/photo-restoration) takes up to ${desktopLimitText} and shows a preview.`,
        },
        { title: 'Raw files' },
        {
          text: 'A raw photo (CR2, NEF, ARW and others) carries one or more JPEG previews inside. Some programs show you those and never the raw data. So a raw file may look fine and not develop, or look broken although only its preview is. Open it in a raw developer before you judge.',
        },
        {
          picture: {
            drawing: 'g-preview',
            label: 'A large photo that can’t be read, and the small preview that stands inside it',
          },
        },
        {
          text: 'If the raw data is gone, the largest preview is often as large as the photo itself, with the camera’s own colours. Better than nothing; the report says so when it is all there is.',
        },
        { title: 'What not to do' },
        {
          list: [
            'Don’t save over it. A viewer that shows half and saves keeps half.',
            'Don’t rotate it in a viewer “to see if that helps”. That writes it anew.',
            'Don’t trust tools that make a sharp picture from a grey field. They paint something that was never there.',
          ],
        },
        { title: 'Free ways' },
        {
          text: 'Any viewer that opens it can save the good part as a new picture. GIMP is forgiving and free. With exiftool, also free, the preview of many photos comes out with one command: exiftool -b -PreviewImage.',
        },
        { title: 'What can’t be brought back' },
        {
          text: 'A photo of which the second half is zeros, or somebody else’s data. Cards that were overwritten give such files. And an encrypted photo of a messenger or a phone’s “hidden” folder, outside of its app, is no photo at all.',
        },
        { title: 'Questions' },
        { title: 'The whole picture is there, but with a colour cast from one line on.', level: 3 },
        { text: 'Then one colour lost its step at that line. A repair finds the jump and takes it out.' },
        { title: 'It has thin lines through it, otherwise fine.', level: 3 },
        {
          text: 'Those are single wrong blocks. They can be filled in from their neighbours; you decide if it is worth it.',
        },
        { title: 'My card makes such photos again and again.', level: 3 },
        { text: 'Then it is the card or the reader. Save everything, and throw the card away.' },
        { title: 'Does the repair change the good part?', level: 3 },
        { text: 'No. What is sound is taken over as it is, without a second compression where the format allows it.' },
      ],
    },
  ],
} as const satisfies PageFile;

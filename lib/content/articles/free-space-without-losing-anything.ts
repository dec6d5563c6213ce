import { productLines } from '../../catalog/brands';
import type { PageFile } from '../page';

export default {
  name: 'Free space',
  order: 70,
  seo: {
    title: 'How to free space without losing anything',
    description:
      'A full disk is mostly full of copies. Find the large ones, keep one of each, and delete in an order you can undo.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Free space without losing anything',
      lead: 'Don’t delete what you might need. Delete what you have twice.',
      picture: { drawing: 'dup-scan' },
    },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'See where the space went' },
        {
          text: 'Windows: Settings, System, Storage. Mac: System Settings, General, Storage. Two or three folders usually hold more than half.',
        },
        { title: 'Start with what is safe' },
        {
          list: [
            'Empty the recycle bin or Trash, after a look inside.',
            'Sort Downloads by size.',
            'Remove programs you don’t use.',
          ],
          ordered: true,
        },
        { title: 'Then the copies' },
        {
          list: [
            `Scan your photo, download and backup folders with [${productLines.duplicate.name}](/file-duplicate-finder).`,
            'Set a size range: large copies first, they pay most.',
            'Lock what lies where it belongs.',
            'Let a rule select the others, look through the selection, delete.',
          ],
          ordered: true,
        },
        { title: 'Similar pictures last' },
        {
          text: 'Ten shots of one moment are not copies. Choose the sharpest in peace, and only when the backup is complete.',
        },
        { title: 'Wait before you empty the bin' },
        { text: 'Leave deleted copies in the recycle bin or Trash for some days. If nothing is missed, empty it.' },
      ],
    },
  ],
} as const satisfies PageFile;

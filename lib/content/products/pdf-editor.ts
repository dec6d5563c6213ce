import { brands } from '../../catalog/brands';
import { onlineTools } from '../../catalog/tools';
import type { PageFile } from '../page';

const name = `${brands.mendara.name} PDF`;

/** The converter and editor that the menus link. The page claims no price and no download (lib/contract/README.md, 6). */
export default {
  name: 'Mendara PDF',
  order: 90,
  menus: [
    { in: 'tools', order: 80, line: 'Convert and edit PDF files', icon: 'p-pdf' },
    { in: 'hot', order: 60 },
  ],
  seo: {
    title: `${name}: convert and edit PDF files`,
    description: 'Turn a PDF into a document you can edit, a document into a PDF, or change the PDF itself.',
  },
  sections: [
    {
      kind: 'banner',
      product: { name, tile: 'p-pdf' },
      title: 'Change the PDF. Not your afternoon.',
      lead: 'Convert a PDF into a document you can edit, a document into a PDF, or write in the PDF itself.',
      actions: [{ act: 'link', label: 'Ask about it', href: '/contact-us' }],
      note: `A PDF that won’t open at all? [Repair it online](${onlineTools.file.route}), free.`,
      picture: {
        drawing: 'pdf-window',
        label: 'A rent contract opened in Mendara PDF, with one paragraph being edited.',
      },
    },
    {
      kind: 'features',
      title: 'Convert or edit',
      lead: 'Two ways to the same end. Which one is quicker depends on how much you want to change.',
      features: [
        {
          title: 'Convert, when a lot has to change.',
          text: 'Turn the PDF into a document, work on it in the program you know, and turn it back into a PDF.',
          picture: {
            drawing: 'pdf-convert',
            label: 'A PDF becomes a document you can edit; a document becomes a PDF.',
          },
        },
        {
          title: 'Edit, when it is one sentence.',
          text: 'Click into the paragraph and write. The rest of the page stays where it is.',
          picture: { drawing: 'pdf-edit', label: 'A date in a PDF letter being changed in place.' },
        },
      ],
    },
    {
      kind: 'faq',
      tone: 'mist',
      title: 'Good to know',
      more: { label: 'All tools', href: '/tools' },
      questions: [
        {
          question: `Can ${name} repair a damaged PDF?`,
          answer: `That is a job for file repair: [online](${onlineTools.file.route}) for one file under ${onlineTools.file.limitText}, or [on your computer](/file-fixer) for larger ones.`,
        },
        {
          question: `Where can I get ${name}?`,
          answer: '[Write to us](/contact-us). Support tells you what is available for your system.',
        },
      ],
    },
  ],
} as const satisfies PageFile;

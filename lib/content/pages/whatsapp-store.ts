import { brands, productLines } from '../../catalog/brands';
import { guaranteeDays, requirements } from '../../catalog/facts';
import { dollars, offers } from '../../catalog/plans';
import type { PageFile } from '../page';
import { otherGuarantee } from '../phrases';
import { buyingQuestions, checkoutPromise, supportPromise } from '../store';

const { chatferry } = brands;
const [monthly, pro, ultimate] = offers;

export default {
  name: 'ChatFerry Store',
  order: 40,
  skin: 'chatferry',
  seo: {
    title: `Buy ${chatferry.name}: WhatsApp transfer, backup and restore`,
    description: `Plans for ${chatferry.name} on Windows and Mac: ${monthly.name} ${dollars(monthly.cents)}, ${pro.name} ${dollars(pro.cents)} a year, ${ultimate.name} ${dollars(ultimate.cents)} once. One licence for unlimited PCs.`,
  },
  product: { website: 'whatsapp', os: 'both', name: chatferry.name },
  sections: [
    {
      kind: 'pagehead',
      product: { name: productLines.whatsapp.name, tile: 'p-ferry' },
      title: 'One crossing or many.',
      lead: `Every plan transfers, backs up, restores, merges and exports. They differ only in how long they last. One licence covers all your PCs.`,
      picture: { drawing: 'restore' },
    },
    { kind: 'plans', website: 'whatsapp', feature: 'Transfer, backup, restore and export' },
    {
      kind: 'promises',
      tone: 'mist',
      title: 'What comes with every plan',
      promises: [
        {
          title: `${guaranteeDays.everythingElse} days to change your mind`,
          text: 'Money back if it didn’t help. Write to support and tell us your order number.',
        },
        supportPromise,
        checkoutPromise,
      ],
    },
    {
      kind: 'compare',
      title: 'Free and paid',
      caption: `The free version of ${chatferry.name} compared with paid plans`,
      columns: ['Feature', 'Free', 'Every plan'],
      rows: [
        { name: 'Connect your phones and see what is on them', values: [true, true] },
        { name: 'Preview chats and attachments', values: [true, true] },
        { name: 'Transfer between iPhone and Android', values: [false, true] },
        { name: 'Encrypted backup on a PC, and restore', values: [false, true] },
        { name: 'Merge old and new chats', values: [false, true] },
        { name: 'Export to PDF or HTML', values: [false, true] },
      ],
    },
    {
      kind: 'moves',
      tone: 'mist',
      title: 'Check before you buy',
      lead: `${chatferry.name} works through your computer, so both phones and the computer have to be supported.`,
      rows: [
        { icon: 'smartphone', title: 'iPhone', text: requirements.ios },
        { icon: 'smartphone', title: 'Android phone', text: requirements.android },
        { icon: 'monitor', title: 'Processor', text: requirements.whatsapp.cpu },
        { icon: 'layers', title: 'Memory', text: requirements.whatsapp.ram },
        {
          icon: 'hard-drive',
          title: 'Free disk space',
          text: `${requirements.whatsapp.disk}, plus the size of your backup`,
        },
      ],
      more: { label: 'How the transfer works', href: '/whatsapp-transfer' },
    },
    {
      kind: 'faq',
      title: 'Buying, plainly',
      more: { label: 'Ask support', href: '/contact-us' },
      questions: [
        ...buyingQuestions,
        {
          question: 'How many computers can I use it on?',
          answer: 'As many as you like. One licence is for unlimited PCs.',
        },
        {
          question: 'What is the refund period?',
          answer: `${otherGuarantee}. Write to support with your order number.`,
        },
        {
          question: `Does ${chatferry.name} belong to WhatsApp?`,
          answer: `No. ${chatferry.name} is made by ${chatferry.legalName} and has nothing to do with WhatsApp or its owner.`,
        },
      ],
    },
  ],
} as const satisfies PageFile;

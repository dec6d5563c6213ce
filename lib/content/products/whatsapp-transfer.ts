import { brands, productLines } from '../../catalog/brands';
import { requirements } from '../../catalog/facts';
import type { PageFile } from '../page';
import { fromPrice, otherGuarantee } from '../phrases';

const { name, legalName } = brands.chatferry;
const { store } = productLines.whatsapp;

export default {
  name: 'WhatsApp Transfer',
  order: 30,
  skin: 'chatferry',
  menus: [
    { in: 'recover', order: 30, line: 'Move chats between iPhone and Android', icon: 'p-ferry' },
    { in: 'hot', order: 40 },
    { in: 'hotFerry', order: 10 },
    { in: 'hotFerry', order: 20, label: 'Backup and restore', hash: '#backup' },
    { in: 'hotFerry', order: 30, label: 'Export to PDF or HTML', hash: '#export' },
  ],
  seo: {
    title: `${name}: move WhatsApp to a new phone`,
    description:
      'Transfer, back up and restore WhatsApp between iPhone and Android from your computer. Merge old and new chats, export to PDF or HTML.',
  },
  product: { website: 'whatsapp', os: 'both', name },
  sections: [
    {
      kind: 'hero',
      title: 'Your chats, across to the new phone.',
      lead: `${name} moves WhatsApp messages, photos and voice notes between iPhone and Android through your computer. Old and new chats are merged, not overwritten.`,
      actions: [
        { act: 'download', label: 'Try free', website: 'whatsapp' },
        { act: 'link', label: 'Buy now', href: store },
      ],
      picture: {
        drawing: 'crossing',
        label: 'Chats, a photo and a voice message crossing by ferry from an Android phone to an iPhone.',
      },
      small: { drawing: 'crossing-small', label: 'A chat crossing from an old phone to a new one.' },
    },
    {
      kind: 'facts',
      facts: [
        { value: requirements.ios, label: 'on the iPhone' },
        { value: requirements.android, label: 'on the Android phone' },
        { value: 'Windows and Mac', label: 'a version for each, unlimited PCs' },
        { value: otherGuarantee, label: 'money-back guarantee' },
      ],
    },
    {
      kind: 'steps',
      id: 'steps',
      title: 'Three stops.',
      lead: 'Both phones stay in your hands, the backup stays on your PC.',
      steps: [
        {
          title: 'Back up the old phone',
          text: 'Connect it to your computer. The backup is encrypted and stays on your PC.',
          picture: { drawing: 'back-up' },
        },
        {
          title: 'Connect the new phone',
          text: 'iPhone to Android, Android to iPhone, or the same kind again.',
          picture: { drawing: 'connect' },
        },
        {
          title: 'Restore from the list',
          text: 'Choose the backup and start. Messages already on the new phone are kept.',
          picture: { drawing: 'restore' },
        },
      ],
    },
    {
      kind: 'moves',
      id: 'moves',
      tone: 'mist',
      title: 'What moves',
      lead: 'Everything in the chat, in order and with its dates.',
      rows: [
        { icon: 'message-circle', title: 'Messages and groups', text: 'Text, names, dates and order' },
        { icon: 'image', title: 'Photos, videos and files', text: 'In the chat they came from' },
        { icon: 'mic', title: 'Voice messages', text: 'Playable on the new phone' },
        { icon: 'file-text', title: 'Export to PDF or HTML', text: 'To read or print without a phone' },
        { icon: 'layers', title: 'Merge', text: 'Old and new chats become one' },
        { icon: 'lock', title: 'Encrypted backup', text: 'On your PC, not in a cloud' },
      ],
    },
    {
      kind: 'features',
      title: 'More than moving house',
      features: [
        {
          id: 'merge',
          title: 'Old chats and new ones, merged.',
          text: 'You have used the new phone for a week already? Nothing is overwritten. Messages from both phones are put into one history, each once.',
          picture: {
            drawing: 'ferry-merge',
            label: 'Messages of an old and a new phone put into one history in the middle.',
          },
        },
        {
          id: 'backup',
          title: 'A backup that only you can open.',
          text: 'The backup lies on your PC, encrypted with your password. Make one before a repair, a trade-in or a factory reset, and restore it when you need it.',
          picture: {
            drawing: 'ferry-lock',
            label: 'An encrypted backup on a PC with counts of chats, photos and voice messages.',
          },
          ticks: ['Encrypted backup on a PC', 'As many backups as the disk holds', 'Restore to iPhone or Android'],
        },
        {
          id: 'export',
          title: 'Chats you can read and print.',
          text: 'Export a chat to PDF or HTML with its pictures, names and dates, for your records, for a lawyer or for the family album.',
          picture: { drawing: 'ferry-pdf', label: 'The same chat as a PDF page and as an HTML page.' },
        },
      ],
    },
    {
      kind: 'gallery',
      tone: 'mist',
      title: 'On your computer, in plain sight.',
      name,
      screens: [
        {
          picture: { drawing: 'ferry-devices', label: 'A transfer from an Android phone to an iPhone, 62% done.' },
          caption: 'Transfer: both phones, the count of messages, the time that is left.',
        },
        {
          picture: { drawing: 'ferry-backups', label: 'Three backups on a PC and one chat opened to read.' },
          caption: 'Backups: open a chat and read it before you restore it.',
        },
        {
          picture: { drawing: 'ferry-export', label: 'A chat being exported to PDF, with a preview of the page.' },
          caption: 'Export: one chat, a period of time, PDF or HTML.',
        },
      ],
    },
    {
      kind: 'lists',
      title: 'Which phones, which computers.',
      devices: {
        title: 'Devices',
        items: [
          { icon: 'smartphone', label: 'iPhone to Android' },
          { icon: 'smartphone', label: 'Android to iPhone' },
          { icon: 'smartphone', label: 'iPhone to iPhone' },
          { icon: 'smartphone', label: 'Android to Android' },
          { icon: 'monitor', label: 'Windows PC' },
          { icon: 'laptop', label: 'Mac' },
          { icon: 'hard-drive', label: 'Backup on a disk' },
          { icon: 'file-text', label: 'PDF and HTML' },
        ],
      },
      types: {
        title: 'Requirements',
        groups: [
          { name: `${name} for Windows`, list: requirements.windows },
          { name: `${name} for Mac`, list: requirements.mac },
          { name: 'Phones', list: `${requirements.ios}, ${requirements.android}` },
          { name: 'Processor', list: requirements.whatsapp.cpu },
          { name: 'Memory', list: requirements.whatsapp.ram },
          { name: 'Free disk space', list: requirements.whatsapp.disk },
        ],
      },
    },
    {
      kind: 'compare',
      tight: true,
      title: 'Free and paid',
      caption: `The free version of ${name} compared with paid plans`,
      columns: ['Feature', 'Free', 'Every plan'],
      rows: [
        { name: 'See what is on both phones', values: [true, true] },
        { name: 'Preview chats and attachments', values: [true, true] },
        { name: 'Transfer and merge', values: [false, true] },
        { name: 'Encrypted backup and restore', values: [false, true] },
        { name: 'Export to PDF or HTML', values: [false, true] },
        { name: 'Price', values: ['$0', `From ${fromPrice}`] },
      ],
      more: { label: 'Plans and prices', href: store },
    },
    {
      kind: 'questions',
      tight: true,
      title: 'Questions and specifications',
      questions: [
        {
          question: `Does ${name} belong to WhatsApp?`,
          answer: `No. ${name} is made by ${legalName}. It has nothing to do with WhatsApp or its owner, and neither of them has approved it.`,
        },
        {
          question: 'Will chats on the new phone be overwritten?',
          answer:
            'No. Old and new messages are merged into one history, each message once. [The guide](/user-guide/whatsapp-transfer) shows how.',
        },
        {
          question: 'Do my chats go through your servers?',
          answer:
            'No. They travel by cable from the phone to your computer and from there to the other phone. The backup is encrypted on your PC.',
        },
        {
          question: 'How many computers does a licence cover?',
          answer: 'As many of your PCs as you like: one licence is for unlimited PCs.',
        },
        {
          question: 'What is the refund period?',
          answer: `${otherGuarantee}. Write to support with your order number.`,
        },
      ],
      specifications: [
        { name: `${name} for Windows`, value: requirements.windows },
        { name: `${name} for Mac`, value: requirements.mac },
        { name: 'iPhone', value: requirements.ios },
        { name: 'Android phone', value: requirements.android },
        { name: 'Processor', value: requirements.whatsapp.cpu },
        { name: 'Memory', value: requirements.whatsapp.ram },
        { name: 'Free disk space', value: requirements.whatsapp.disk },
        { name: 'Licence', value: 'Unlimited PCs, for personal, non-commercial use' },
      ],
    },
    {
      kind: 'cta',
      id: 'download',
      mark: 'mark-ferry',
      tight: true,
      title: 'All aboard.',
      lead: `Download ${name} for Windows or Mac, connect the old phone and see your chats in the preview.`,
      actions: [
        { act: 'download', label: 'Try free', website: 'whatsapp' },
        { act: 'link', label: 'Buy now', href: store },
      ],
    },
  ],
} as const satisfies PageFile;

import { brands } from '../catalog/brands';
import { onlineTools } from '../catalog/tools';
import type { Skin } from '../catalog/types';
import { extensionsSummary } from './phrases';
import type { ProductTile } from './pictures';
import { isBuilt } from './routes';

export type NavLink = { href: string; label: string; line?: string; icon?: ProductTile };

/** A menu of links, or one link that stands in the bar itself. */
export type NavEntry = { label: string; links: readonly NavLink[] } | { label: string; href: string };

export type Navigation = {
  bar: readonly NavEntry[];
  action: { label: string; href: string };
  footer: readonly { title: string; links: readonly NavLink[] }[];
  footerLine: string;
};

const support: readonly NavLink[] = [
  { href: '/user-guide', label: 'Guide', line: 'Every product, step by step' },
  { href: '/faq', label: 'FAQs', line: 'Short answers, searchable' },
  { href: '/how-to', label: 'How-to', line: 'What to do when something went wrong' },
  { href: '/support-center', label: 'Support centre', line: 'Orders, licences, downloads, people' },
];

const repairOnline: readonly NavLink[] = [
  {
    href: onlineTools.video.route,
    label: 'Video repair online',
    line: extensionsSummary('video'),
    icon: 't-video',
  },
  {
    href: onlineTools.photo.route,
    label: 'Photo repair online',
    line: extensionsSummary('photo'),
    icon: 't-photo',
  },
  {
    href: onlineTools.file.route,
    label: 'File repair online',
    line: extensionsSummary('file'),
    icon: 't-file',
  },
];

const footerEnd = [
  {
    title: 'Online Tools',
    links: [
      { href: onlineTools.video.route, label: 'Video repair' },
      { href: onlineTools.photo.route, label: 'Photo repair' },
      { href: onlineTools.file.route, label: 'File repair' },
      { href: '/tools', label: 'All tools' },
    ],
  },
  {
    title: 'Sources',
    links: support.map(({ href, label }) => ({ href, label })),
  },
  {
    title: 'Company',
    links: [
      { href: '/about-us', label: 'About Us' },
      { href: '/contact-us', label: 'Contact Us' },
      { href: '/privacy-policy', label: 'Privacy Policy' },
      { href: '/cookies-policy', label: 'Cookies Policy' },
      { href: '/terms-conditions', label: 'Terms and Conditions' },
      { href: '/accessibility', label: 'Accessibility' },
    ],
  },
] as const;

const all: Record<Skin, Navigation> = {
  mendara: {
    bar: [
      {
        label: 'Data Recover&Transfer',
        links: [
          {
            href: '/win-data-recovery',
            label: 'Data Recovery for Windows',
            line: 'Deleted, formatted and lost files',
            icon: 'p-recovery',
          },
          {
            href: '/data-recovery-mac',
            label: 'Data Recovery for Mac',
            line: 'Internal drives, cards and USB sticks',
            icon: 'p-recovery',
          },
          {
            href: '/whatsapp-transfer',
            label: 'WhatsApp Transfer',
            line: 'Move chats between iPhone and Android',
            icon: 'p-ferry',
          },
          {
            href: '/file-duplicate-finder',
            label: 'Duplicate Finder',
            line: 'Clear copies on Windows and Mac',
            icon: 'p-dup',
          },
        ],
      },
      {
        label: 'File Tools',
        links: [
          {
            href: '/repair-tool',
            label: 'Mendara Repair',
            line: 'Video, photo and file repair on your computer',
            icon: 'p-repair',
          },
          { href: '/video-fixer', label: 'Video Repair', line: 'Recordings that won’t play', icon: 't-video' },
          {
            href: '/photo-restoration',
            label: 'Photo Repair',
            line: 'Pictures with grey or shifted parts',
            icon: 't-photo',
          },
          { href: '/file-fixer', label: 'File Repair', line: 'Documents that won’t open', icon: 't-file' },
          ...repairOnline,
          { href: '/pdf-editor', label: 'Mendara PDF', line: 'Convert and edit PDF files', icon: 'p-pdf' },
        ],
      },
      { label: 'Store', href: '/product-center' },
      { label: 'Support', links: support },
    ],
    action: { label: 'Download', href: '/download' },
    footer: [
      {
        title: 'Hot Products',
        links: [
          { href: '/win-data-recovery', label: 'Data Recovery for Windows' },
          { href: '/data-recovery-mac', label: 'Data Recovery for Mac' },
          { href: '/file-duplicate-finder', label: 'Duplicate Finder' },
          { href: '/whatsapp-transfer', label: 'WhatsApp Transfer' },
          { href: '/repair-tool', label: 'Mendara Repair' },
          { href: '/pdf-editor', label: 'Mendara PDF' },
        ],
      },
      ...footerEnd,
    ],
    footerLine: 'Windows and Mac are trademarks of their owners.',
  },
  chatferry: {
    bar: [
      { label: 'How it works', href: '/whatsapp-transfer#steps' },
      { label: 'What moves', href: '/whatsapp-transfer#moves' },
      { label: 'Store', href: '/whatsapp-store' },
      { label: 'Support', links: support },
    ],
    action: { label: 'Try free', href: '/whatsapp-transfer#download' },
    footer: [
      {
        title: 'Hot Products',
        links: [
          { href: '/whatsapp-transfer', label: 'WhatsApp Transfer' },
          { href: '/whatsapp-transfer#backup', label: 'Backup and restore' },
          { href: '/whatsapp-transfer#export', label: 'Export to PDF or HTML' },
          { href: '/win-data-recovery', label: 'Data Recovery' },
        ],
      },
      ...footerEnd,
    ],
    footerLine: `${brands.chatferry.name} is not affiliated with WhatsApp or its owner.`,
  },
};

/** A skin's bar and footer without the links and menus whose pages do not exist. */
export function navigation(skin: Skin): Navigation {
  const { bar, action, footer, footerLine } = all[skin];
  return {
    bar: bar.flatMap((entry): NavEntry[] => {
      if ('href' in entry) return isBuilt(entry.href) ? [entry] : [];
      const links = entry.links.filter(({ href }) => isBuilt(href));
      return links.length ? [{ ...entry, links }] : [];
    }),
    action,
    footer: footer
      .map(({ title, links }) => ({ title, links: links.filter(({ href }) => isBuilt(href)) }))
      .filter(({ links }) => links.length),
    footerLine,
  };
}

import { brands } from '../../catalog/brands';
import type { PageContent } from '../page';
import { dataRecoveryMacGuide } from './data-recovery-mac';
import { dataRecoveryWindowsGuide } from './data-recovery-windows';
import { duplicateFinderGuide } from './duplicate-finder';
import { repairGuide } from './repair-guide';
import { whatsappTransferGuide } from './whatsapp-transfer';

/** One guide per product. */
export const guides: readonly PageContent[] = [
  dataRecoveryWindowsGuide,
  dataRecoveryMacGuide,
  duplicateFinderGuide,
  repairGuide,
  whatsappTransferGuide,
];

const { mendara, chatferry } = brands;

export const userGuide = {
  path: '/user-guide',
  seo: {
    title: `User guides | ${mendara.name}`,
    description: `Step by step through ${mendara.name} Data Recovery, Duplicate Finder, Repair and ${chatferry.name}.`,
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'User guides',
      lead: 'From the download to the last click, one page per product.',
    },
    {
      kind: 'cards',
      tight: true,
      title: 'Choose a product',
      cards: [
        {
          title: 'Data Recovery for Windows',
          tile: 'p-recovery',
          text: 'Choose a place, scan, preview, recover.',
          actions: [{ act: 'link', label: 'Open the Windows guide', href: '/user-guide/data-recovery-windows' }],
        },
        {
          title: 'Data Recovery for Mac',
          tile: 'p-recovery',
          text: 'Permissions, scan, preview, recover.',
          actions: [{ act: 'link', label: 'Open the Mac guide', href: '/user-guide/data-recovery-mac' }],
        },
        {
          title: 'Duplicate Finder',
          tile: 'p-dup',
          text: 'Choose folders, scan, lock, delete.',
          actions: [{ act: 'link', label: 'Open the duplicates guide', href: '/user-guide/duplicate-finder' }],
        },
        {
          title: `${mendara.name} Repair`,
          tile: 'p-repair',
          text: 'Videos, photos and documents, online and on your computer.',
          actions: [{ act: 'link', label: 'Open the repair guide', href: '/user-guide/repair' }],
        },
        {
          title: chatferry.name,
          tile: 'p-ferry',
          text: 'Back up, connect, restore, merge, export.',
          actions: [{ act: 'link', label: 'Open the transfer guide', href: '/user-guide/whatsapp-transfer' }],
        },
      ],
    },
  ],
} as const satisfies PageContent;

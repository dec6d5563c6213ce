import type { Skin, Website } from './types';

/** A brand as it is written everywhere; renaming the vendor is an edit here. */
export type Brand = { skin: Skin; name: string; legalName: string; home: string };

export const brands = {
  mendara: {
    skin: 'mendara',
    name: 'Mendara',
    legalName: 'Mendara',
    home: '/',
  },
  chatferry: {
    skin: 'chatferry',
    name: 'ChatFerry',
    legalName: 'Mendara',
    home: '/whatsapp-transfer',
  },
} as const satisfies Record<Skin, Brand>;

/** What each brand does, in a sentence; apart from the names, which browser code carries too. */
export const brandSentences = {
  mendara: 'Desktop tools for lost, damaged and duplicate files, and free repair tools in the browser.',
  chatferry: 'Moves, backs up and restores WhatsApp chats between iPhone, Android and your computer.',
} as const satisfies Record<Skin, string>;

/** A product line sold under a `website` value. `installer` is the base of the downloaded file's name. */
export type ProductLine = {
  website: Website;
  skin: Skin;
  name: string;
  shortName: string;
  installer: string;
  store: string;
};

export const productLines = {
  recovery: {
    website: 'recovery',
    skin: 'mendara',
    name: `${brands.mendara.name} Data Recovery`,
    shortName: 'Data Recovery',
    installer: 'mendara-data-recovery',
    store: '/data-recovery-store',
  },
  duplicate: {
    website: 'duplicate',
    skin: 'mendara',
    name: `${brands.mendara.name} Duplicate Finder`,
    shortName: 'Duplicate Finder',
    installer: 'mendara-duplicate-finder',
    store: '/duplicate-files-store',
  },
  whatsapp: {
    website: 'whatsapp',
    skin: 'chatferry',
    name: brands.chatferry.name,
    shortName: brands.chatferry.name,
    installer: 'chatferry',
    store: '/whatsapp-store',
  },
} as const satisfies Record<Website, ProductLine>;

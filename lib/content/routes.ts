import type { Skin } from '../catalog/types';

/** A page of the site. `changed` is the day on which its words last changed (ISO 8601), for the sitemap. */
export type Route = {
  path: string;
  /** Its name in menus, footers and breadcrumbs. */
  name: string;
  skin: Skin;
  changed: string;
  /** False for pages that belong to a visitor or to one order: kept from search engines and the sitemap. */
  indexed: boolean;
  /** False for a page that is not built yet: menus, footers and links to it are left out. */
  built: boolean;
};

type Entry = Partial<Omit<Route, 'name'>> & { name: string };

const changed = '2026-11-20';

const entries = {
  '/': { name: 'Home' },
  '/win-data-recovery': { name: 'Data Recovery for Windows' },
  '/data-recovery-mac': { name: 'Data Recovery for Mac' },
  '/whatsapp-transfer': { name: 'WhatsApp Transfer', skin: 'chatferry' },
  '/file-duplicate-finder': { name: 'Duplicate Finder' },
  '/video-fixer': { name: 'Video Repair' },
  '/photo-restoration': { name: 'Photo Repair' },
  '/file-fixer': { name: 'File Repair' },
  '/repair-tool': { name: 'Mendara Repair' },
  '/pdf-editor': { name: 'Mendara PDF' },
  '/video-repair-online': { name: 'Video repair online' },
  '/photo-restoration-online': { name: 'Photo repair online' },
  '/corrupted-file-recovery-online': { name: 'File repair online' },
  '/data-recovery-store': { name: 'Data Recovery Store' },
  '/duplicate-files-store': { name: 'Duplicate Finder Store' },
  '/whatsapp-store': { name: 'ChatFerry Store', skin: 'chatferry' },
  '/product-center': { name: 'Store Center' },
  '/tools': { name: 'All tools' },
  '/tools/Banner': { name: 'Online tools banner', indexed: false },
  '/download': { name: 'Download' },
  '/user-guide': { name: 'User guides' },
  '/user-guide/data-recovery-windows': { name: 'Guide to Data Recovery for Windows' },
  '/user-guide/data-recovery-mac': { name: 'Guide to Data Recovery for Mac' },
  '/user-guide/duplicate-finder': { name: 'Guide to Duplicate Finder' },
  '/user-guide/repair': { name: 'Guide to Repair' },
  '/user-guide/whatsapp-transfer': { name: 'Guide to ChatFerry' },
  '/how-to': { name: 'How-to' },
  '/how-to/recover-permanently-deleted-files': { name: 'Recover permanently deleted files' },
  '/how-to/protect-data-on-a-crashing-laptop': { name: 'Protect data on a crashing laptop' },
  '/how-to/drive-asks-to-be-formatted': { name: 'The disk asks to be formatted' },
  '/how-to/fix-video-playback-errors': { name: 'Fix video playback errors' },
  '/how-to/open-a-corrupt-document': { name: 'Open a corrupt document' },
  '/how-to/move-whatsapp-to-a-new-phone': { name: 'Move WhatsApp to a new phone' },
  '/how-to/free-space-without-losing-anything': { name: 'Free space' },
  '/faq': { name: 'FAQs' },
  '/support-center': { name: 'Support centre' },
  '/about-us': { name: 'About Us' },
  '/contact-us': { name: 'Contact Us' },
  '/terms-conditions': { name: 'Terms and Conditions' },
  '/privacy-policy': { name: 'Privacy Policy' },
  '/cookies-policy': { name: 'Cookies Policy' },
  '/accessibility': { name: 'Accessibility', changed: '2026-11-22' },
  '/account': { name: 'Account', indexed: false },
  '/order-lookup': { name: 'Find an order', indexed: false },
  '/login': { name: 'Sign in', indexed: false },
  '/register': { name: 'Create an account', indexed: false },
  '/reset-password': { name: 'Reset password', indexed: false },
  '/packge-loading': { name: 'Your package', indexed: false },
  '/pay-success': { name: 'Payment confirmation', indexed: false },
  '/pending': { name: 'Payment pending', indexed: false },
} as const satisfies Record<string, Entry>;

/** The path of a page, so that a mistyped link fails the type check. */
export type Path = keyof typeof entries;

/** Every page in the order of the menus; the sitemap, the menus and the end-to-end tests share this list. */
export const routes: readonly Route[] = Object.entries(entries as Record<string, Entry>).map(([path, entry]) => ({
  path,
  skin: 'mendara',
  changed,
  indexed: true,
  built: true,
  ...entry,
}));

/** True when the page that a link leads to exists; a fragment or query does not matter. */
export function isBuilt(href: string): boolean {
  const path = href.replace(/[?#].*$/, '').replace(/(.)\/$/, '$1');
  return href.startsWith('#') || routes.some((route) => route.path === path && route.built);
}

/** The page's entry. Throws when there is none: a page without an entry is a mistake of ours. */
export function route(path: Path): Route {
  const found = routes.find((entry) => entry.path === path);
  if (!found) throw new Error(`No route ${path}`);
  return found;
}

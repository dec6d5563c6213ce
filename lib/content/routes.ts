import { onlineTools } from '../catalog/tools';
import type { Skin } from '../catalog/types';
import { articles } from './generated/articles';
import { guides } from './generated/guides';
import { legal } from './generated/legal';
import { pages } from './generated/pages';
import { products } from './generated/products';
import { byOrder } from './order';
import type { MenuPlace, PageEntry, PageFile } from './page';
import { extensionsSummary } from './phrases';

/** A page of the site. `changed` is the day on which its words last changed (ISO 8601), for the sitemap. */
export type Route = {
  path: string;
  /** Its name in menus, footers and breadcrumbs. */
  name: string;
  skin: Skin;
  changed: string;
  /** False for pages that belong to a visitor or to one order: kept from search engines and the sitemap. */
  indexed: boolean;
  menus: readonly MenuPlace[];
};

/** The day of the first release. */
const firstChanged = '2026-11-20';

/** Every page that is a file of content, by address; a new one is its file. */
const files = { ...products, ...pages, ...guides, ...articles, ...legal };

/** Screens whose code is their own: they have route files, and words in `screens/`. */
const screens = {
  [onlineTools.video.route]: {
    name: 'Video repair online',
    menus: [
      { in: 'tools', order: 50, line: extensionsSummary('video'), icon: 't-video' },
      { in: 'online', order: 10, label: 'Video repair' },
    ],
  },
  [onlineTools.photo.route]: {
    name: 'Photo repair online',
    menus: [
      { in: 'tools', order: 60, line: extensionsSummary('photo'), icon: 't-photo' },
      { in: 'online', order: 20, label: 'Photo repair' },
    ],
  },
  [onlineTools.file.route]: {
    name: 'File repair online',
    menus: [
      { in: 'tools', order: 70, line: extensionsSummary('file'), icon: 't-file' },
      { in: 'online', order: 30, label: 'File repair' },
    ],
  },
  '/tools/Banner': { name: 'Online tools banner', indexed: false },
  '/account': { name: 'Account', indexed: false },
  '/order-lookup': { name: 'Find an order', indexed: false },
  '/login': { name: 'Sign in', indexed: false },
  '/register': { name: 'Create an account', indexed: false },
  '/reset-password': { name: 'Reset password', indexed: false },
  '/packge-loading': { name: 'Your package', indexed: false },
  '/pay-success': { name: 'Payment confirmation', indexed: false },
  '/pending': { name: 'Payment pending', indexed: false },
} as const satisfies Record<string, PageEntry & { indexed?: boolean }>;

/** The path of a page, so that a mistyped link fails the type check. */
export type Path = keyof typeof files | keyof typeof screens;

/** Every page that is a file of content: folder by folder, each in its order. */
export const contentPages = [products, pages, guides, articles, legal].flatMap((set) =>
  byOrder<PageFile>(set).map((file) => ({ ...file, path: file.path as keyof typeof files })),
);

/** Every page; the sitemap, the menus and the end-to-end tests share this list. */
export const routes: readonly Route[] = [
  ...contentPages,
  ...Object.entries<PageEntry & { indexed?: boolean }>(screens).map(([path, screen]) => ({ path, ...screen })),
].map((entry) => ({
  path: entry.path,
  name: entry.name,
  skin: entry.skin ?? 'mendara',
  changed: entry.changed ?? firstChanged,
  indexed: 'indexed' in entry ? entry.indexed !== false : true,
  menus: entry.menus ?? [],
}));

/** True when the page that a link leads to exists; a fragment or query does not matter. */
export function isBuilt(href: string): boolean {
  const path = href.replace(/[?#].*$/, '').replace(/(.)\/$/, '$1');
  return href.startsWith('#') || routes.some((route) => route.path === path);
}

/** The page's entry. Throws when there is none: a page without an entry is a mistake of ours. */
export function route(path: Path): Route {
  const found = routes.find((entry) => entry.path === path);
  if (!found) throw new Error(`No route ${path}`);
  return found;
}

import type { Skin, Website } from '../catalog/types';
import type { ProductTile } from './pictures';
import type { Path } from './routes';
import type { Section } from './sections';

/** The menus that a page can stand in: two of the bar, the one of support in bar and footer, and columns of the footer. */
export type MenuName = 'recover' | 'tools' | 'support' | 'hot' | 'hotFerry' | 'online' | 'company';

/** A page's place in a menu: smaller orders first; `label` where it is not the page's name, `hash` a part of the page. */
export type MenuPlace = {
  in: MenuName;
  order: number;
  label?: string;
  line?: string;
  icon?: ProductTile;
  hash?: `#${string}`;
};

/** What a page says of itself to menus, breadcrumbs and the sitemap. */
export type PageEntry = {
  /** Its name in menus, footers and breadcrumbs. */
  name: string;
  skin?: Skin;
  /** The day on which its words last changed (ISO 8601), where that was after the first release. */
  changed?: string;
  menus?: readonly MenuPlace[];
};

/** What people come with, by which the articles are sorted. */
export type Problem = 'lost' | 'broken' | 'chats' | 'space';

/**
 * What guides and articles have beside their words: the day on which they were first published (ISO 8601), the problem that an article is
 * about, and the pages that belong to it: other texts, a tool, a product.
 */
export type TextFacts = { published: string; problem?: Problem; related: readonly string[] };

/**
 * One page, as its file in a folder of content exports it; the file's name is the last part of its address. What search
 * engines see, and its sections in order. `order` is its place among the pages of its folder.
 */
export type PageFile = PageEntry & {
  order: number;
  seo: { title: string; description: string };
  /** The product that the page is about: structured data names its offers and its guarantee. */
  product?: { website: Website; os: 'win' | 'mac' | 'both'; name: string };
  /** A guide or an article. */
  text?: TextFacts;
  sections: readonly Section[];
};

/** A guide: a page with the card that leads to it in the list of all guides. */
export type GuideFile = PageFile & { card: { title: string; tile: ProductTile; text: string; label: string } };

/** A page with its address. */
export type PageContent = PageFile & { path: Path };

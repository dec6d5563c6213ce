import { brands } from '../catalog/brands';
import type { Skin } from '../catalog/types';
import type { MenuName } from './page';
import type { ProductTile } from './pictures';
import { type Path, routes } from './routes';

export type NavLink = { href: string; label: string; line?: string; icon?: ProductTile };

/** A menu of links, or one link that stands in the bar itself. */
export type NavEntry = { label: string; links: readonly NavLink[] } | { label: string; href: string };

export type Navigation = {
  bar: readonly NavEntry[];
  action: { label: string; href: string };
  footer: readonly { title: string; links: readonly NavLink[] }[];
  footerLine: string;
};

/** The links of a menu: the pages that say of themselves that they stand in it, in the order that they say. */
function linksOf(menu: MenuName): NavLink[] {
  return routes
    .flatMap(({ path, name, menus }) => menus.map((place) => ({ path, name, place })))
    .filter(({ place }) => place.in === menu)
    .sort((a, b) => a.place.order - b.place.order)
    .map(({ path, name, place: { label, line, icon, hash } }) => ({
      href: `${path}${hash ?? ''}`,
      label: label ?? name,
      ...(line ? { line } : {}),
      ...(icon ? { icon } : {}),
    }));
}

/** A link that stands in the bar itself; a mistyped page fails the type check. */
const to = (label: string, href: Path | `${Path}#${string}`) => ({ label, href });

const footerEnd = [
  { title: 'Online Tools', links: linksOf('online') },
  { title: 'Sources', links: linksOf('support').map(({ href, label }) => ({ href, label })) },
  { title: 'Company', links: linksOf('company') },
] as const;

const all: Record<Skin, Navigation> = {
  mendara: {
    bar: [
      { label: 'Data Recover&Transfer', links: linksOf('recover') },
      { label: 'File Tools', links: linksOf('tools') },
      to('Store', '/product-center'),
      { label: 'Support', links: linksOf('support') },
    ],
    action: to('Download', '/download'),
    footer: [{ title: 'Hot Products', links: linksOf('hot') }, ...footerEnd],
    footerLine: 'Windows and Mac are trademarks of their owners.',
  },
  chatferry: {
    bar: [
      to('How it works', '/whatsapp-transfer#steps'),
      to('What moves', '/whatsapp-transfer#moves'),
      to('Store', '/whatsapp-store'),
      { label: 'Support', links: linksOf('support') },
    ],
    action: to('Try free', '/whatsapp-transfer#download'),
    footer: [{ title: 'Hot Products', links: linksOf('hotFerry') }, ...footerEnd],
    footerLine: `${brands.chatferry.name} is not affiliated with WhatsApp or its owner.`,
  },
};

/** A skin's bar and footer. */
export function navigation(skin: Skin): Navigation {
  return all[skin];
}

import { ownRoutes } from './generated/own-routes';
import type { PageContent } from './page';
import { contentPages, type Path } from './routes';

/** All pages made of sections, for routes with static parameters and for tests. */
export const allPages: readonly PageContent[] = contentPages;

/** The content of a page. Throws when there is none: the route that asks for it is ours. */
export function page(path: Path): PageContent {
  const found = allPages.find((content) => content.path === path);
  if (!found) throw new Error(`No content for ${path}`);
  return found;
}

/** Slugs of the pages that share one route file, since they have none of their own; each stands in the skin that it names. */
export const productSlugs: readonly string[] = allPages
  .filter(({ path }) => /^\/[^/]+$/.test(path) && !ownRoutes.includes(path))
  .map(({ path }) => path.slice(1));

/** The last part of the addresses below a page, such as the guides below `/user-guide`. */
export function slugsBelow(parent: '/user-guide' | '/how-to'): readonly string[] {
  return allPages.filter(({ path }) => path.startsWith(`${parent}/`)).map(({ path }) => path.slice(parent.length + 1));
}

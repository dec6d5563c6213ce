import type { ProductTile } from '../pictures';
import type { PageHeadSection } from '../sections';

/** The head of a guide. */
export function guideHead(name: string, tile: ProductTile, lead: string): PageHeadSection {
  return { kind: 'pagehead', product: { name: 'User guide', tile }, title: name, lead };
}

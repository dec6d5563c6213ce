import type { Website } from '../catalog/types';
import type { Path } from './routes';
import type { Section } from './sections';

/** One page: its address, what search engines see, and its sections in order. */
export type PageContent = {
  path: Path;
  seo: { title: string; description: string };
  /** The product that the page is about: structured data names its offers and its guarantee. */
  product?: { website: Website; os: 'win' | 'mac' | 'both'; name: string };
  sections: readonly Section[];
};

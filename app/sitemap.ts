import type { MetadataRoute } from 'next';
import { routes } from '@/lib/content/routes';
import { absolute } from '@/lib/seo/site';

export const dynamic = 'force-static';

/** Every page for search engines, with the day on which its words last changed. */
export default function sitemap(): MetadataRoute.Sitemap {
  return routes
    .filter(({ indexed }) => indexed)
    .map(({ path, changed }) => ({ url: absolute(path), lastModified: changed }));
}

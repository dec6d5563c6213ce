import type { MetadataRoute } from 'next';
import { absolute } from '@/lib/seo/site';

export const dynamic = 'force-static';

/** Pages of one visitor or one order say `noindex` themselves, which a crawler must be able to read; only the API is closed. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', allow: '/', disallow: '/api/' }, sitemap: absolute('/sitemap.xml') };
}

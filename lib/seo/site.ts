/** The site's origin without a trailing slash; canonical addresses, the sitemap and structured data start with it. */
export const siteOrigin: string = (process.env.NEXT_PUBLIC_SITE_URL ?? 'http://localhost:3000').replace(/\/+$/, '');

/** A path's absolute address, without a trailing slash except for the root of the origin itself. */
export function absolute(path: string): string {
  return path === '/' ? siteOrigin : `${siteOrigin}${path}`;
}

import type { Metadata } from 'next';
import { brands } from '../catalog/brands';
import type { PageContent } from '../content/page';
import { type Path, route } from '../content/routes';

/** Title, description, canonical address without a trailing slash, and what shared links show. */
export function pageMetadata({ path, seo, text }: Pick<PageContent, 'path' | 'seo' | 'text'>): Metadata {
  const { skin, indexed, changed } = route(path as Path);
  return {
    title: { absolute: seo.title },
    description: seo.description,
    alternates: { canonical: path },
    robots: indexed ? undefined : { index: false, follow: false },
    openGraph: {
      images: indexed ? [{ url: sharePicture(path), width: 1200, height: 630, alt: seo.title }] : undefined,
      ...(text ? { type: 'article', publishedTime: text.published, modifiedTime: changed } : { type: 'website' }),
      siteName: brands[skin].name,
      locale: 'en_US',
      url: path,
      title: seo.title,
      description: seo.description,
    },
    twitter: { card: 'summary_large_image' },
  };
}

/** Address of the picture that shared links show: one file per page below `public/og`. */
export function sharePicture(path: string): string {
  return `/og/${path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')}.png`;
}

import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { marketingRegistry } from '@/components/sections/registries/marketing';
import { page, productSlugs } from '@/lib/content';
import type { Path } from '@/lib/content/routes';
import { pageMetadata } from '@/lib/seo/metadata';

type Props = { params: Promise<{ slug: string }> };

export const dynamicParams = false;

export function generateStaticParams() {
  return productSlugs.map((slug) => ({ slug }));
}

/** Only the slugs above reach this route, so each is a path of the list. */
async function contentOf({ params }: Props) {
  const { slug } = await params;
  return page(`/${slug}` as Path);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return pageMetadata(await contentOf(props));
}

export default async function Page(props: Props) {
  return <ContentPage content={await contentOf(props)} registry={marketingRegistry} />;
}

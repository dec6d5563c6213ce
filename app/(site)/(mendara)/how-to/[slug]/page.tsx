import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { textsRegistry } from '@/components/sections/registries/texts';
import { page, slugsBelow } from '@/lib/content';
import type { Path } from '@/lib/content/routes';
import { pageMetadata } from '@/lib/seo/metadata';

type Props = { params: Promise<{ slug: string }> };

export const dynamicParams = false;

export function generateStaticParams() {
  return slugsBelow('/how-to').map((slug) => ({ slug }));
}

/** Only the slugs above reach this route, so each is a path of the list. */
async function contentOf({ params }: Props) {
  const { slug } = await params;
  return page(`/how-to/${slug}` as Path);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return pageMetadata(await contentOf(props));
}

export default async function Page(props: Props) {
  return <ContentPage content={await contentOf(props)} registry={textsRegistry} />;
}

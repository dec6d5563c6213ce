import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { resultsRegistry } from '@/components/sections/registries/results';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/repair-results');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={resultsRegistry} />;
}

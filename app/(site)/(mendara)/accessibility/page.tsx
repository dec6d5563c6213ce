import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { textsRegistry } from '@/components/sections/registries/texts';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/accessibility');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={textsRegistry} />;
}

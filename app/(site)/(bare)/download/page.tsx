import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { downloadsRegistry } from '@/components/sections/registries/downloads';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/download');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={downloadsRegistry} />;
}

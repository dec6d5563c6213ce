import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { storeRegistry } from '@/components/sections/registries/store';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/whatsapp-store');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={storeRegistry} />;
}

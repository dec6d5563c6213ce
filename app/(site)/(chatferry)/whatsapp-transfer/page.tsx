import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { marketingRegistry } from '@/components/sections/registries/marketing';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/whatsapp-transfer');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={marketingRegistry} />;
}

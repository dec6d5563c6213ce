import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { consentRegistry } from '@/components/sections/registries/consent';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/cookies-policy');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={consentRegistry} />;
}

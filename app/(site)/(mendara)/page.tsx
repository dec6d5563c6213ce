import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { homeRegistry } from '@/components/sections/registries/home';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={homeRegistry} />;
}

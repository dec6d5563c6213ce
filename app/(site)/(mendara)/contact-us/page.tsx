import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { contactRegistry } from '@/components/sections/registries/contact';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/contact-us');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={contactRegistry} />;
}

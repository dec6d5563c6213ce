import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { faqsRegistry } from '@/components/sections/registries/faqs';
import { page } from '@/lib/content';
import { pageMetadata } from '@/lib/seo/metadata';

const content = page('/faq');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} registry={faqsRegistry} />;
}

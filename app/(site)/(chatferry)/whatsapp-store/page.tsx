import type { Metadata } from 'next';
import { ContentPage } from '@/components/sections/content-page';
import { page } from '@/lib/content';
import { jsonLd } from '@/lib/seo/json-ld';
import { pageMetadata } from '@/lib/seo/metadata';
import { pageGraph } from '@/lib/seo/structured-data';

const content = page('/whatsapp-store');

export const metadata: Metadata = pageMetadata(content);

export default function Page() {
  return <ContentPage content={content} structuredData={jsonLd(pageGraph(content))} />;
}

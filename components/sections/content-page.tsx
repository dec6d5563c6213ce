import type { PageContent } from '@/lib/content/page';
import { RenderSections } from './render-sections';

/** A page made of sections, with its structured data (already escaped text). */
export function ContentPage({ content, structuredData }: { content: PageContent; structuredData: string }) {
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own data, escaped by lib/seo */}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: structuredData }} />
      <RenderSections sections={content.sections} />
    </>
  );
}

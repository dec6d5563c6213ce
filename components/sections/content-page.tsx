import type { PageContent } from '@/lib/content/page';
import { jsonLd } from '@/lib/seo/json-ld';
import { pageGraph } from '@/lib/seo/structured-data';
import { RenderSections } from './render-sections';
import { StructuredData } from './structured-data';

/** A page made of sections, with its structured data. */
export function ContentPage({ content }: { content: PageContent }) {
  return (
    <>
      <StructuredData text={jsonLd(pageGraph(content))} />
      <RenderSections sections={content.sections} />
    </>
  );
}

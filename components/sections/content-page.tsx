import type { PageContent } from '@/lib/content/page';
import { textSections } from '@/lib/content/text-page';
import { jsonLd } from '@/lib/seo/json-ld';
import { pageGraph } from '@/lib/seo/structured-data';
import { DrawSections } from './draw-sections';
import type { Registry } from './registries/registry';
import { StructuredData } from './structured-data';

/** A page made of sections, with its structured data. */
export function ContentPage({ content, registry }: { content: PageContent; registry: Registry }) {
  return (
    <>
      <StructuredData text={jsonLd(pageGraph(content))} />
      <DrawSections sections={textSections(content)} registry={registry} />
    </>
  );
}

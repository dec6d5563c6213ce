import type { onlineTools } from '@/lib/catalog/tools';
import { toolPages, toolSections } from '@/lib/content/screens/tools';
import { jsonLd } from '@/lib/seo/json-ld';
import { sectionsGraph } from '@/lib/seo/structured-data';
import { RenderSections } from './render-sections';
import { StructuredData } from './structured-data';

/** What stands below the drop zone of an online tool: signs of damage, comparison, questions. */
export function ToolSections({ kind }: { kind: keyof typeof onlineTools }) {
  const sections = toolSections(kind);
  return (
    <>
      <StructuredData text={jsonLd(sectionsGraph(toolPages[kind].path, sections))} />
      <RenderSections sections={sections} />
    </>
  );
}

import type { Metadata } from 'next';
import { ToolPage } from '@/components/repair/tool-page';
import { ToolSections } from '@/components/sections/tool-sections';
import { onlineTools } from '@/lib/catalog/tools';
import { toolPages } from '@/lib/content/screens/tools';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(toolPages.file);

export default function Page() {
  return (
    <ToolPage tool={onlineTools.file} title={toolPages.file.title} lead={toolPages.file.lead}>
      <ToolSections kind="file" />
    </ToolPage>
  );
}

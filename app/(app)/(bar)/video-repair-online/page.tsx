import type { Metadata } from 'next';
import { ToolPage } from '@/components/repair/tool-page';
import { ToolSections } from '@/components/sections/tool-sections';
import { onlineTools } from '@/lib/catalog/tools';
import { toolPages } from '@/lib/content/screens/tools';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(toolPages.video);

export default function Page() {
  return (
    <ToolPage tool={onlineTools.video} title={toolPages.video.title} lead={toolPages.video.lead}>
      <ToolSections kind="video" />
    </ToolPage>
  );
}

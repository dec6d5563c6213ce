import type { Metadata } from 'next';
import { ToolPage } from '@/components/repair/tool-page';
import { ToolSections } from '@/components/sections/tool-sections';
import { onlineTools } from '@/lib/catalog/tools';
import { toolPages } from '@/lib/content/screens/tools';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(toolPages.photo);

export default function Page() {
  return (
    <ToolPage tool={onlineTools.photo} title={toolPages.photo.title} lead={toolPages.photo.lead}>
      <ToolSections kind="photo" />
    </ToolPage>
  );
}

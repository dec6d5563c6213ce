import type { Metadata } from 'next';
import { ToolsBanner } from '@/components/sections/tools-banner/tools-banner';
import { toolsBanner } from '@/lib/content/screens/tools-banner';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(toolsBanner);

export default function Page() {
  return <ToolsBanner />;
}

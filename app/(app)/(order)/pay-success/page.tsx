import type { Metadata } from 'next';
import { OrderConfirmed } from '@/components/account/orders/order-confirmed';
import { RenderSections } from '@/components/sections/render-sections';
import { appPages } from '@/lib/content/screens/app';
import { installSections } from '@/lib/content/screens/package';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.paySuccess);

/** The confirmation with the install steps (lib/contract/README.md, 20). */
export default function Page() {
  return <OrderConfirmed install={<RenderSections sections={installSections} />} />;
}

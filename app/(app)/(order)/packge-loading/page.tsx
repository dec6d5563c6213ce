import type { Metadata } from 'next';
import { OrderPage } from '@/components/account/orders/order-page';
import { OrderWaiting } from '@/components/account/orders/order-waiting';
import { RenderSections } from '@/components/sections/render-sections';
import { appPages } from '@/lib/content/screens/app';
import { packageSections } from '@/lib/content/screens/package';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.package);

/** The payment success return address: banner, the result as it loads, promises, FAQ (lib/contract/README.md, 20). */
export default function Page() {
  const { title, lead } = appPages.package;
  return (
    <>
      <OrderPage title={title} lead={lead}>
        <OrderWaiting />
      </OrderPage>
      <RenderSections sections={packageSections} />
    </>
  );
}

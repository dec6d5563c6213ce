import type { Metadata } from 'next';
import { LookUpScreen } from '@/components/account/lookup/look-up-screen';
import { OrderPage } from '@/components/account/orders/order-page';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.orderLookUp);

/** For buyers without a sign-in: order, licence and receipt by a mailed link (lib/contract/README.md, 75). */
export default function Page() {
  const { title, lead } = appPages.orderLookUp;
  return (
    <OrderPage title={title} lead={lead}>
      <LookUpScreen />
    </OrderPage>
  );
}

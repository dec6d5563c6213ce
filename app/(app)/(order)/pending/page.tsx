import type { Metadata } from 'next';
import { OrderPending } from '@/components/account/orders/order-pending';
import { Band } from '@/components/ui/band';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.pending);

export default function Page() {
  return (
    <Band>
      <OrderPending />
    </Band>
  );
}

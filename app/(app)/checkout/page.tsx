import type { Metadata } from 'next';
import { CheckoutPage } from '@/components/account/checkout/checkout-page';

export const metadata: Metadata = {
  title: 'Payment',
  description: 'The payment page that the checkout frames.',
  robots: { index: false, follow: false },
};

export default function Page() {
  return (
    <div data-skin="mendara">
      <CheckoutPage />
    </div>
  );
}

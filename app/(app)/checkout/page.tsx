import type { Metadata } from 'next';
import { SandboxCheckout } from '@/components/account/development/sandbox-checkout';

export const metadata: Metadata = {
  title: 'Test payment',
  description: 'The sandbox payment page. No card is charged.',
  robots: { index: false, follow: false },
};

export default function Page() {
  return (
    <div data-skin="mendara">
      <SandboxCheckout />
    </div>
  );
}

import type { Metadata } from 'next';
import { OutboxScreen } from '@/components/account/development/outbox-screen';

export const metadata: Metadata = {
  title: 'Outbox',
  description: 'Mails of the embedded mail port, for development.',
  robots: { index: false, follow: false },
};

export default function Page() {
  return <OutboxScreen />;
}

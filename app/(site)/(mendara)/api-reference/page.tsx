import type { Metadata } from 'next';
import { Reference } from '@/components/reference/reference';

export const metadata: Metadata = {
  title: 'Product API',
  description: 'Every call of the product API, with what it sends, what comes back and how it is refused.',
  robots: { index: false, follow: false },
};

export default function Page() {
  return <Reference />;
}

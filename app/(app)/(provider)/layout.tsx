import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** The sign-in provider's pages have no footer (lib/contract/README.md, 14). */
export default function ProviderLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" isScreen hideFooter>
      {children}
    </Shell>
  );
}

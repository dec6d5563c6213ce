import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** The sign-in provider's pages have no footer (specification section 2, "Layout rules"). */
export default function ProviderLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" hideFooter>
      {children}
    </Shell>
  );
}

import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** The download page has neither bar nor footer (specification section 2). */
export default function BareLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" hideHeader hideFooter>
      {children}
    </Shell>
  );
}

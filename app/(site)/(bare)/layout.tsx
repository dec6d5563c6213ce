import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** The download page has neither bar nor footer (lib/contract/README.md, 14). */
export default function BareLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" hideHeader hideFooter>
      {children}
    </Shell>
  );
}

import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** User guides have no footer (lib/contract/README.md, 14). */
export default function GuideLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" hideFooter>
      {children}
    </Shell>
  );
}

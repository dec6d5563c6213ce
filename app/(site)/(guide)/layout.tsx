import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** User guides have no footer (specification section 2). */
export default function GuideLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" hideFooter>
      {children}
    </Shell>
  );
}

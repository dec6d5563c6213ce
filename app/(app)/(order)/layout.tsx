import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** Pages of one order wear the skin of what was bought. */
export default function OrderLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" followsBrand>
      {children}
    </Shell>
  );
}

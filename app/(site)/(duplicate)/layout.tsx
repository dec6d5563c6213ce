import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

/** The main brand's bars, with the duplicate finder as the stored product. */
export default function DuplicateLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" website="duplicate">
      {children}
    </Shell>
  );
}

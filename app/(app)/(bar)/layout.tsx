import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

export default function BarLayout({ children }: { children: ReactNode }) {
  return (
    <Shell skin="mendara" isScreen>
      {children}
    </Shell>
  );
}

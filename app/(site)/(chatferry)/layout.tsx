import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';

export default function ChatFerryLayout({ children }: { children: ReactNode }) {
  return <Shell skin="chatferry">{children}</Shell>;
}

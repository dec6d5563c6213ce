import type { ReactNode } from 'react';
import { OrderShell } from '@/components/layout/order-shell';

/** Pages of one order wear the skin of what was bought. */
export default function OrderLayout({ children }: { children: ReactNode }) {
  return <OrderShell>{children}</OrderShell>;
}

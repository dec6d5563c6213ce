'use client';

import { type ReactNode, useState } from 'react';
import { findPlan } from '@/lib/catalog/plans';
import { useAppState } from '@/store/app-state';
import { withPart } from '@/store/parts';

/** Buys a plan: the order and payment code arrives with the first click (lib/contract/README.md, 70). */
export function BuyButton({
  productsId,
  className,
  children,
}: {
  productsId: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  const [loading, setLoading] = useState(false);
  const busy =
    useAppState(({ checkout }) => checkout.is !== 'closed' && checkout.plan.productsId === productsId) || loading;
  const start = async (button: HTMLElement) => {
    const plan = findPlan(productsId);
    if (!plan || busy) return;
    setLoading(true);
    try {
      await withPart(async () => {
        const { buy } = await import('@/store/checkout');
        // Safari gives no focus to a button that is clicked; the overlay gives it back to where it was.
        button.focus({ preventScroll: true });
        buy(plan);
      });
    } finally {
      setLoading(false);
    }
  };
  return (
    <button
      type="button"
      className={className}
      aria-disabled={busy || undefined}
      onClick={(event) => void start(event.currentTarget)}
    >
      {children}
    </button>
  );
}

'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { productByName } from '@/lib/catalog/plans';
import { refusals } from '@/lib/contract/errors';
import type { PayInfo } from '@/lib/contract/pay';
import { fail, type Result } from '@/lib/contract/result';
import { isFramedByOwn } from '@/lib/utils/framed';
import type { ApiError } from '@/services/api-error';
import { isNoVerdict } from '@/services/no-verdict';
import { meanWebsite } from '@/store/app-state';
import { pendingOrder } from '@/store/buy-attempt';
import { tellFoundEnd } from '@/store/found-end';
import { PART_FAILED } from '@/store/parts';

/** What is known of the order that the address or the session names. */
export type OrderView =
  | { state: 'loading'; orderId: string | null }
  | { state: 'none' }
  | { state: 'known'; order: PayInfo }
  | { state: 'failed'; orderId: string; error: ApiError };

/**
 * In the checkout's frame the page around it is told the address and asks itself: an answer to both would end the session twice. Only a
 * page that still stands in its frame after so long was told to nobody.
 */
const HAND_OVER_MS = 5000;

/** Asks for the order; a part of the program that does not load is a lost answer like any other. */
async function ask(orderId: string): Promise<Result<PayInfo, ApiError>> {
  try {
    const { payInfo } = await import('@/services/pay');
    return await payInfo(orderId);
  } catch {
    return fail({ kind: 'network', code: '', msg: PART_FAILED, status: 0 });
  }
}

/**
 * A refusal is the end of the buyer's session where the check of this load found that first: the order was then asked
 * for without it, and is told to be nobody's. It is said as it is when the order's own call finds it.
 */
function isSessionsEnd(error: ApiError): boolean {
  return error.kind === 'refusal' && !isNoVerdict(error) && tellFoundEnd(refusals.sessionInvalid.msg);
}

/** Names an order, and the brand whose skin its pages wear, in the query. */
export function orderQuery({ orderId, productName }: PayInfo): string {
  return `?${new URLSearchParams({ orderId, website: productByName(productName).line.website })}`;
}

/** The kept id goes once the order is over: from then on the address names it, for a reload. */
function nameInAddress(orderId: string): void {
  const url = new URL(window.location.href);
  if (url.searchParams.has('orderId')) return;
  url.searchParams.set('orderId', orderId);
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`);
}

/**
 * Reads the order and, while `again` says so, reads it again every two seconds. The last known order stays on the
 * screen when a later answer is lost.
 */
export function useOrder(again: (order: PayInfo, elapsedMs: number) => boolean) {
  const [view, setView] = useState<OrderView>({ state: 'loading', orderId: null });
  const [turn, setTurn] = useState(0);
  const start = useRef(0);
  const isAgain = useRef(again);
  isAgain.current = again;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for another reading
  useEffect(() => {
    start.current ||= Date.now();
    const orderId = new URLSearchParams(window.location.search).get('orderId') ?? pendingOrder();
    if (!orderId) {
      setView({ state: 'none' });
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const readOnce = async () => {
      const answer = await ask(orderId);
      if (isOver || (!answer.ok && isSessionsEnd(answer.error))) return;
      const elapsed = Date.now() - start.current;
      if (answer.ok) {
        const { website, skin } = productByName(answer.value.productName).line;
        // The order is known now, and with it the brand, whatever the address said.
        meanWebsite(website);
        document.documentElement.dataset.skin = skin;
        nameInAddress(orderId);
        setView({ state: 'known', order: answer.value });
      } else
        setView((before) => (before.state === 'known' ? before : { state: 'failed', orderId, error: answer.error }));
      const isLost = !answer.ok && answer.error.kind !== 'refusal' && answer.error.kind !== 'session';
      if (answer.ok ? isAgain.current(answer.value, elapsed) : isLost && elapsed < 60_000) {
        timer = setTimeout(() => void readOnce(), 2000);
      }
    };
    if (isFramedByOwn()) timer = setTimeout(() => void readOnce(), HAND_OVER_MS);
    else void readOnce();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [turn]);

  const refresh = useCallback(() => {
    start.current = Date.now();
    setTurn((value) => value + 1);
  }, []);
  return { view, refresh };
}

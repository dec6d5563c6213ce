import { afterEach, expect, it, vi } from 'vitest';
import { logEvent } from '@/store/event-log';
import { logOrderResult } from '@/store/order-result';

const sent: { eventCode: string; currDocument: string; prevDocument: string; extend: string }[] = [];
vi.mock('@/services/events', () => ({ sendEvent: (event: (typeof sent)[number]) => void sent.push(event) }));

const at = (address: string) => window.history.replaceState(null, '', address);

afterEach(() => {
  at('/');
  sent.length = 0;
  window.localStorage.clear();
  window.sessionStorage.clear();
});

it('names the page before this one, for what is done on a page as for the page itself', async () => {
  window.localStorage.setItem('isAgreeCookie', 'true');
  for (const address of ['/faq', '/data-recovery-store?ufrom=mac', '/pending']) {
    at(address);
    logEvent('page_view');
    logEvent('buy');
  }
  await expect.poll(() => sent.length).toBe(6);
  expect(sent.map(({ eventCode, currDocument, prevDocument }) => [eventCode, currDocument, prevDocument])).toEqual([
    ['page_view', '/faq', ''],
    ['buy', '/faq', ''],
    ['page_view', '/data-recovery-store?ufrom=mac', '/faq'],
    ['buy', '/data-recovery-store?ufrom=mac', '/faq'],
    ['page_view', '/pending', '/data-recovery-store?ufrom=mac'],
    ['buy', '/pending', '/data-recovery-store?ufrom=mac'],
  ]);
});

it('counts each state of an order once, however often its page is loaded, and only after the agreement', async () => {
  const pending = { orderId: 'MD1', status: 'pending' } as const;
  logOrderResult(pending);
  expect(window.sessionStorage).toHaveLength(0);
  window.localStorage.setItem('isAgreeCookie', 'true');
  for (const result of [pending, pending, { ...pending, status: 'success' } as const, { ...pending, orderId: 'MD2' }])
    logOrderResult(result);
  await expect.poll(() => sent.length).toBe(3);
  expect(sent.map(({ extend }) => JSON.parse(extend).status)).toEqual(['pending', 'success', 'pending']);
});

it('leaves the result to the page around a frame, which has time to send it', () => {
  window.localStorage.setItem('isAgreeCookie', 'true');
  const parent = vi.spyOn(window, 'parent', 'get').mockReturnValue({} as Window);
  logOrderResult({ orderId: 'MD3', status: 'pending' });
  expect(window.sessionStorage).toHaveLength(0);
  parent.mockRestore();
  logOrderResult({ orderId: 'MD3', status: 'pending' });
  expect(window.sessionStorage.getItem('loggedResult')).toBe('MD3 pending');
});

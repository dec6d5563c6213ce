import { afterEach, expect, it, vi } from 'vitest';
import { logEvent } from '@/store/event-log';

const sent: { eventCode: string; currDocument: string; prevDocument: string }[] = [];
vi.mock('@/services/events', () => ({ sendEvent: (event: (typeof sent)[number]) => void sent.push(event) }));

const at = (address: string) => window.history.replaceState(null, '', address);

afterEach(() => at('/'));

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

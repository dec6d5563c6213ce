import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OrderConfirmed } from '@/components/account/orders/order-confirmed';
import { OrderPending } from '@/components/account/orders/order-pending';
import { OrderWaiting } from '@/components/account/orders/order-waiting';
import { useAppState } from '@/store/app-state';
import { setHomeNavigation } from '@/store/session-state';
import { useToasts } from '@/store/toasts';
import { answers, hangs, loses, paidOrder, refuses, sent, standInForApi } from '../../support/screen-setup';

const replace = vi.fn();
vi.mock('next/navigation', () => ({ usePathname: () => '/', useRouter: () => ({ replace }) }));

standInForApi();

const order = { ...paidOrder, licenceCode: null };
const unpaid = (status: string) => ({ ...order, status, paidAt: null });
const query = 'orderId=M-1&website=recovery';
const at = (address: string) => window.history.replaceState(null, '', address);

/** Lets so much time pass that everything that waits for it happens. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  replace.mockClear();
  at('/packge-loading?orderId=M-1');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  useAppState.setState({ session: { is: 'unknown' } });
  useToasts.setState({ toasts: [] });
});

describe('waiting for the result', () => {
  it('says so while nothing is known', async () => {
    hangs('get', '/pay/info/M-1');
    render(<OrderWaiting />);
    expect((await screen.findByRole('status')).textContent).toContain('Waiting for the payment result.');
  });

  it('leaves the order to the page around it in the frame of the checkout, and asks only when nobody took it', async () => {
    at('/packge-loading?orderId=M-7');
    vi.stubGlobal('parent', { location: { origin: window.location.origin } });
    answers('get', '/pay/info/M-7', unpaid('created'));
    render(<OrderWaiting />);
    await act(() => new Promise<void>((done) => setInterval(done, 1000)));
    expect(sent.has('GET /pay/info/M-7')).toBe(false);
    await pass(5000);
    await expect.poll(() => sent.has('GET /pay/info/M-7')).toBe(true);
  });

  it('says that the session has ended, and leads home, when the check of the load found that before', async () => {
    const home = vi.fn();
    setHomeNavigation(home);
    useAppState.setState({ session: { is: 'signed-out', told: true, isFound: true } });
    refuses('get', '/pay/info/M-1', 'There is no such order.');
    render(<OrderWaiting />);
    await expect
      .poll(() => useToasts.getState().toasts.map(({ text, tone }) => `${tone}: ${text}`))
      .toEqual(['error: Your session has ended. Please sign in again.']);
    expect(home).toHaveBeenCalledTimes(1);
    expect(screen.queryByText(/There is no such order/)).toBeNull();
  });

  it('knows no order in a window that has none', async () => {
    at('/packge-loading');
    render(<OrderWaiting />);
    expect(await screen.findByRole('heading', { name: 'No order in this window' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Visit the store' }).getAttribute('href')).toBe('/data-recovery-store');
  });

  it('goes to the confirmation of a paid order, and to no other because an address says so', async () => {
    at('/packge-loading?orderId=M-1&status=success');
    answers('get', '/pay/info/M-1', unpaid('created'));
    render(<OrderWaiting />);
    expect((await screen.findByText(/^Waiting for the payment result of Mendara/)).textContent).toContain('Ultimate');
    expect(replace).not.toHaveBeenCalled();
    answers('get', '/pay/info/M-1', order);
    await pass(2000);
    await expect
      .poll(() => replace.mock.calls.map(([address]) => address))
      .toEqual([`/pay-success?${query}&status=success`]);
  });

  it.each(['created', 'pending'])('of an order that stays %s goes to the pending page', async (status) => {
    answers('get', '/pay/info/M-1', unpaid(status));
    render(<OrderWaiting />);
    await screen.findByText(/^Waiting for the payment result of Mendara/);
    expect(replace).not.toHaveBeenCalled();
    await pass(20_000);
    await expect.poll(() => replace.mock.calls.at(-1)).toEqual([`/pending?${query}`]);
  });

  it.each([
    ['cancelled', 'Payment cancelled', 'You were not charged. Your order is closed.'],
    ['expired', 'This order has expired', 'It was not paid in time, and nothing was charged.'],
  ])('of an order that is %s says so, and leads to the store', async (status, title, lead) => {
    answers('get', '/pay/info/M-1', unpaid(status));
    render(<OrderWaiting />);
    expect((await screen.findByRole('alert')).textContent).toContain(title);
    expect(screen.getByText(lead)).toBeTruthy();
    expect(screen.getByRole('link').getAttribute('href')).toMatch(/^\/data-recovery-store/);
  });

  it('believes a failure after a while, since another card may still pay', async () => {
    answers('get', '/pay/info/M-1', unpaid('failed'));
    render(<OrderWaiting />);
    await screen.findByText(/^Waiting for the payment result of Mendara/);
    await pass(8000);
    expect((await screen.findByRole('alert')).textContent).toContain('The payment did not go through');
  });

  it('believes it at once from the pending page, which has asked', async () => {
    at('/packge-loading?orderId=M-1&from=pending');
    answers('get', '/pay/info/M-1', unpaid('failed'));
    render(<OrderWaiting />);
    expect((await screen.findByRole('alert')).textContent).toContain('The payment did not go through');
  });

  it('of an order whose money went back says so', async () => {
    answers('get', '/pay/info/M-1', { ...order, status: 'cancelled' });
    render(<OrderWaiting />);
    expect((await screen.findByRole('alert')).textContent).toContain('This order is closed');
  });

  it('whose answer is lost says so, and tries again', async () => {
    loses('get', '/pay/info/M-1');
    render(<OrderWaiting />);
    expect(await screen.findByRole('heading', { name: 'The result didn’t load' })).toBeTruthy();
    answers('get', '/pay/info/M-1', unpaid('expired'));
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(screen.getByRole('button', { name: 'Try again' }));
    expect((await screen.findByRole('alert')).textContent).toContain('This order has expired');
  });

  it('of an order that nobody knows says the server’s words', async () => {
    refuses('get', '/pay/info/M-1', 'There is no such order.');
    render(<OrderWaiting />);
    expect(await screen.findByText(/^There is no such order\. If you have paid, the payment is kept/)).toBeTruthy();
  });
});

describe('the pending page', () => {
  const press = (name: string) =>
    userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(screen.getByRole('button', { name }));

  beforeEach(() => at('/pending?orderId=M-1'));

  it('names the order, says that the result comes by mail, and leads home', async () => {
    answers('get', '/pay/info/M-1', unpaid('pending'));
    render(<OrderPending />);
    expect(await screen.findByText('Mendara Data Recovery for Mac, Ultimate. Order M-1.')).toBeTruthy();
    expect(screen.getByText(/The payment result will be sent to you by e-mail\.$/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Return Home' }).getAttribute('href')).toBe('/');
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('asks again when Refresh is pressed, and says that it is still so', async () => {
    answers('get', '/pay/info/M-1', unpaid('pending'));
    render(<OrderPending />);
    await screen.findByText(/Order M-1\.$/);
    await press('Refresh');
    await expect.poll(() => screen.getByRole('status').textContent).toBe('Still pending. You don’t have to wait here.');
  });

  it('that knows no order says so when Refresh is pressed', async () => {
    at('/pending');
    render(<OrderPending />);
    await press('Refresh');
    await expect.poll(() => screen.getByRole('status').textContent).toMatch(/^There is no order in this window\./);
  });

  it('whose answer is lost says so', async () => {
    loses('get', '/pay/info/M-1');
    render(<OrderPending />);
    await expect.poll(() => screen.getByRole('status').textContent).toMatch(/can’t be reached/);
  });

  it.each(['success', 'failed', 'cancelled', 'expired'])('goes on when the order is %s', async (status) => {
    answers('get', '/pay/info/M-1', status === 'success' ? order : unpaid(status));
    render(<OrderPending />);
    await expect.poll(() => replace.mock.calls.at(-1)).toEqual([`/packge-loading?${query}&from=pending`]);
  });
});

describe('the confirmation', () => {
  it('of an order that nobody knows leads to where orders are found, and of a lost answer does not', async () => {
    refuses('get', '/pay/info/M-1', 'There is no such order.');
    at('/pay-success?orderId=M-1');
    const { unmount } = render(<OrderConfirmed install={null} />);
    const link = await screen.findByRole('link', { name: 'Find your order' });
    expect(link.getAttribute('href')).toBe('/order-lookup');
    unmount();
    loses('get', '/pay/info/M-1');
    render(<OrderConfirmed install={null} />);
    expect(await screen.findByRole('heading', { name: 'Your order didn’t load' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Find your order' })).toBeNull();
  });

  it('without an order has the Download that the steps to install speak of', async () => {
    at('/pay-success');
    render(<OrderConfirmed install={null} />);
    expect((await screen.findByRole('link', { name: 'Download' })).getAttribute('href')).toBe('/download');
    expect(screen.getByRole('link', { name: 'My products' }).getAttribute('href')).toBe('/account');
  });
});

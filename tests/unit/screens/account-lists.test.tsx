import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { AntdProvider } from '@/components/account/kit/antd-provider';
import { OrdersPanel } from '@/components/account/papers/orders-panel';
import { ProductsPanel } from '@/components/account/products-panel';
import { SessionsPanel } from '@/components/account/sessions-panel';
import type { OrderRequest } from '@/lib/contract/requests/pay';
import { useAppState } from '@/store/app-state';
import {
  ann,
  answers,
  hangs,
  loses,
  paidOrder,
  refuses,
  sent,
  standInForApi,
  toasts,
} from '../../support/screen-setup';

standInForApi();

const draw = (panel: ReactNode) => render(<AntdProvider>{panel}</AntdProvider>);
const button = (name: string | RegExp) => screen.findByRole('button', { name });

const licence = {
  id: 's1',
  product: 'Mendara Data Recovery for Mac',
  currentPlan: 'Monthly',
  type: 'month',
  expirationDate: '2026-12-24T00:00:00Z',
  status: 'normal',
  licenceCode: 'AAAA-BBBB',
  autoRenew: true,
};

describe('my products', () => {
  const list = '/user/products/list';

  it('are on their way', async () => {
    hangs('get', list);
    draw(<ProductsPanel />);
    expect(screen.getByRole('status').textContent).toBe('Your products are loading.');
  });

  it('did not load: says so, keeps calm and tries again; then there are none', async () => {
    loses('get', list);
    draw(<ProductsPanel />);
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('heading', { name: 'Your products didn’t load' })).toBeTruthy();
    expect(alert.textContent).toContain('Nothing is lost.');
    answers('get', list, []);
    await userEvent.click(await button('Try again'));
    expect(await screen.findByRole('heading', { name: 'No products yet' })).toBeTruthy();
    // The button that was pressed is gone; the keyboard goes on from its part.
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('heading', { name: 'My products' }));
    expect(screen.getByRole('link', { name: 'Visit the store' }).getAttribute('href')).toBe('/data-recovery-store');
  });

  it('read as what they are, with the actions that fit', async () => {
    const ended = { ...licence, status: 'expired', autoRenew: false, expirationDate: '2026-01-03T10:00:00Z' };
    const perpetual = { type: 'perpetual', autoRenew: false, expirationDate: null };
    answers('get', list, [
      { ...licence, id: 'a', nextCharge: { amount: '9.99', currency: 'USD', at: licence.expirationDate } },
      { ...licence, id: 'b', status: 'unsubscribe', autoRenew: false },
      { ...ended, id: 'c' },
      { ...licence, ...perpetual, id: 'd', status: 'activate' },
      { ...ended, id: 'e', type: 'perpetual', endedBy: 'withdrawal' },
      { ...ended, id: 'f', endedBy: 'dispute' },
      { ...licence, id: 'g', graceUntil: '2026-12-27T00:00:00Z' },
    ]);
    draw(<ProductsPanel />);
    await screen.findByRole('table', { name: 'Your products and plans' });
    const [, ...rows] = screen.getAllByRole('row');
    const words = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(2, 4)
        .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' ')),
    );
    const end = 'January 3, 2026, 10:00 UTC';
    expect(words).toEqual([
      ['December 24, 2026, 00:00 UTCRenews then for $9.99, unless you cancel before', 'Active'],
      ['December 24, 2026, 00:00 UTCRenewal is off, ends then', 'Cancelled, still active'],
      [`${end}The licence ended then`, 'Expired'],
      ['NeverNo renewal', 'Not activated'],
      [`${end}The licence ended then, and the money went back`, 'Withdrawn'],
      [`${end}The licence ended then, and the money went back`, 'Payment disputed'],
      ['December 27, 2026, 00:00 UTCThe renewal was not paid. Renew before then to keep the licence', 'Active'],
    ]);
    const actions = rows.map((row) => {
      const [last] = within(row).getAllByRole('cell').slice(-1);
      return [...(last?.querySelectorAll('button, a') ?? [])].map(({ textContent }) => textContent);
    });
    expect(actions).toEqual([
      ['Download', 'Cancel'],
      ['Resume', 'Download'],
      ['Renew'],
      ['Download'],
      ['Renew'],
      ['Renew'],
      ['Renew', 'Download', 'Cancel'],
    ]);
    expect(screen.getAllByRole('button', { name: 'Copy the licence code' })).toHaveLength(7);
  });

  it('are downloaded in the version that the installer has', async () => {
    const facts = { version: '4.1.0', size: 1, sha256: 'x', demonstration: false };
    const installer = {
      website: 'recovery',
      os: 'mac',
      fileName: 'x.dmg',
      url: 'https://files.example/x.dmg',
      ...facts,
    };
    answers('get', '/recovery/installers', [installer]);
    answers('get', list, [licence, { ...licence, id: 's2', status: 'expired', autoRenew: false }]);
    draw(<ProductsPanel />);
    expect(await screen.findAllByText('Version 4.1.0')).toHaveLength(1);
  });

  it('are renewed as what they are: the same plan is bought for the same licence', async () => {
    useAppState.setState({ session: { is: 'signed-in', user: ann } });
    answers('get', list, [{ ...licence, status: 'expired', autoRenew: false }]);
    answers('post', '/products/list', []);
    refuses('post', '/pay/create', 'Not now.');
    draw(<ProductsPanel />);
    await userEvent.click(await button('Renew'));
    await expect.poll(toasts).toEqual(['Not now.']);
    const order = sent.get('POST /pay/create') as OrderRequest;
    expect([order.email, order.productsId]).toEqual([ann.email, 'recovery-mac-monthly']);
    expect(JSON.parse(order.transparentExtend)).toMatchObject({ renew: 's1' });
  });

  it('whose renewal was not paid are cancelled for now, not until a day that has passed', async () => {
    const overdue = { ...licence, expirationDate: '2026-12-24T00:00:00Z', graceUntil: '2026-12-27T00:00:00Z' };
    answers('get', list, [overdue]);
    answers('put', '/user/cancel/subscription/s1', {
      ...overdue,
      status: 'expired',
      autoRenew: false,
      graceUntil: null,
    });
    draw(<ProductsPanel />);
    await userEvent.click(await button('Cancel'));
    const { textContent } = await screen.findByRole('dialog');
    expect(textContent).toContain('The renewal was not paid, so your licence ends at once.');
    expect(textContent).not.toContain('December 24');
    await userEvent.click(await button('Cancel subscription'));
    await expect.poll(toasts).toEqual(['Mendara Data Recovery for Mac is cancelled, and its licence has ended.']);
  });

  it('are cancelled after a question, whose Later has the focus', async () => {
    answers('get', list, [licence]);
    draw(<ProductsPanel />);
    const cancel = await button('Cancel');
    await userEvent.click(cancel);
    const dialog = await screen.findByRole('dialog', { name: 'Cancel Mendara Data Recovery for Mac, Monthly?' });
    const later = within(dialog).getByRole('button', { name: 'Later' });
    await expect.poll(() => document.activeElement).toBe(later);
    expect(dialog.textContent).toContain('keeps working until December 24, 2026, 00:00 UTC.');
    expect(document.documentElement.classList.contains('no-scroll')).toBe(true);
    await userEvent.click(later);
    expect(screen.queryByRole('dialog')).toBeNull();
    await expect.poll(() => document.activeElement).toBe(cancel);
    expect(document.documentElement.classList.contains('no-scroll')).toBe(false);

    await userEvent.click(cancel);
    refuses('put', '/user/cancel/subscription/s1', 'Not now.');
    await userEvent.click(await button('Cancel subscription'));
    expect((await screen.findByRole('alert')).textContent).toBe('Not now.');
    answers('put', '/user/cancel/subscription/s1', { ...licence, status: 'unsubscribe' });
    await userEvent.click(await button('Cancel subscription'));
    expect(await screen.findByText('Cancelled, still active')).toBeTruthy();
    expect(toasts()).toEqual([
      'Mendara Data Recovery for Mac is cancelled and keeps working until December 24, 2026, 00:00 UTC.',
    ]);
    // Cancel is gone with what it did: the focus stays in the row, and what was said before no longer holds.
    const resume = await button('Resume');
    await expect.poll(() => document.activeElement).toBe(resume);
    answers('put', '/user/resume/subscription/s1', licence);
    await userEvent.click(resume);
    await expect
      .poll(toasts)
      .toEqual(['Mendara Data Recovery for Mac goes on and renews on December 24, 2026, 00:00 UTC.']);
    await expect
      .poll(() => document.activeElement?.closest('tr'))
      .toBe(screen.getByRole('cell', { name: /^Mendara Data Recovery for Mac/ }).closest('tr'));
  });

  it('go on by Resume, or say why not', async () => {
    answers('get', list, [{ ...licence, status: 'unsubscribe' }]);
    refuses('put', '/user/resume/subscription/s1', 'The card has expired.');
    draw(<ProductsPanel />);
    await userEvent.click(await button('Resume'));
    expect((await screen.findByRole('alert')).textContent).toBe('The card has expired.');
    answers('put', '/user/resume/subscription/s1', licence);
    await userEvent.click(await button('Resume'));
    expect(await screen.findByText('Active')).toBeTruthy();
    expect(toasts()).toEqual(['Mendara Data Recovery for Mac goes on and renews on December 24, 2026, 00:00 UTC.']);
  });
});

describe('orders', () => {
  it('load, fail, or are none', async () => {
    hangs('get', '/user/orders');
    const { unmount } = draw(<OrdersPanel onWithdrawn={() => {}} />);
    expect(screen.getByRole('status').textContent).toBe('Your orders are loading.');
    unmount();
    refuses('get', '/user/orders', 'Closed for a minute.');
    draw(<OrdersPanel onWithdrawn={() => {}} />);
    expect((await screen.findByRole('alert')).textContent).toContain('Closed for a minute. Nothing is lost.');
    answers('get', '/user/orders', []);
    await userEvent.click(await button('Try again'));
    expect(await screen.findByRole('heading', { name: 'No orders yet' })).toBeTruthy();
  });

  it('say what happened to the money when it went back without a withdrawal', async () => {
    answers('get', '/user/orders', [
      { ...paidOrder, status: 'cancelled', withdrawableUntil: null },
      { ...paidOrder, orderId: 'M-2' },
      { ...paidOrder, orderId: 'M-3', withdrawableUntil: null },
    ]);
    draw(<OrdersPanel onWithdrawn={() => {}} />);
    const [closed, open, old] = await screen.findAllByRole('listitem');
    expect(closed?.textContent).toContain('This order is closed. Its money went back');
    expect(open?.textContent).toContain('You can withdraw until January 16, 2026, 00:00 UTC.');
    expect(old?.textContent).toContain('The time to withdraw is over.');
  });

  it('offer receipt and withdrawal; the question may fail to load', async () => {
    let withdrawn = 0;
    answers('get', '/user/orders', [paidOrder]);
    draw(<OrdersPanel onWithdrawn={() => (withdrawn += 1)} />);
    loses('get', '/user/orders/M-1/receipt');
    await userEvent.click(await button(/^Download receipt\s*of order M-1, PDF$/));
    await expect.poll(() => toasts().join()).toMatch(/can’t be reached|connection/i);

    loses('post', '/orders/M-1/withdraw');
    const ask = await button(/^Withdraw from contract\s*, order M-1$/);
    await userEvent.click(ask);
    const dialog = await screen.findByRole('dialog', { name: 'Withdraw from this contract?' });
    await within(dialog).findByRole('alert');
    expect(within(dialog).queryByRole('button', { name: 'Confirm withdrawal' })).toBeNull();
    answers('post', '/orders/M-1/withdraw', {
      orderId: 'M-1',
      title: 'Ultimate',
      amount: '29.99',
      currency: 'USD',
      deadline: '2026-01-16T00:00:00Z',
      withdrawnAt: '2026-01-03T00:00:00Z',
    });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Try again' }));
    await expect.poll(() => document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Later' }));
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Confirm withdrawal' }));
    expect(await screen.findByText(/^Withdrawn on Jan 3, 2026/)).toBeTruthy();
    expect(sent.get('POST /orders/M-1/withdraw')).toEqual({ confirm: true });
    expect(withdrawn).toBe(1);
    const receipt = await button(/^Download receipt/);
    await expect.poll(() => document.activeElement).toBe(receipt);
  });
});

describe('signed-in devices', () => {
  const row = {
    id: 'd1',
    createdAt: '2026-01-01T00:00:00Z',
    lastSeenAt: '2026-01-02T00:00:00Z',
    userAgent: 'X11; Linux Chrome/1',
  };

  it('load, or fail', async () => {
    loses('get', '/user/sessions');
    draw(<SessionsPanel />);
    expect(screen.getByRole('status').textContent).toBe('The list is loading.');
    expect(await screen.findByRole('heading', { name: 'The list didn’t load' })).toBeTruthy();
  });

  it('are ended one by one, all but this one', async () => {
    answers('get', '/user/sessions', [
      { ...row, current: true },
      { ...row, id: 'd2', userAgent: 'Windows Firefox/9', current: false },
    ]);
    draw(<SessionsPanel />);
    expect(await screen.findByText(/Chrome on Linux, this device/)).toBeTruthy();
    refuses('delete', '/user/sessions/d2', 'Not now.');
    await userEvent.click(await button('Sign out there'));
    await expect.poll(toasts).toEqual(['Not now.']);
    answers('delete', '/user/sessions/d2', null);
    await userEvent.click(await button('Sign out there'));
    await expect.poll(() => screen.queryByText(/Firefox on Windows/)).toBeNull();
    expect(toasts()).toContain('That device is signed out.');
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('list', { name: 'Signed-in devices' }));
  });
});

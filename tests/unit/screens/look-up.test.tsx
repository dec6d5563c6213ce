import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { LookUpScreen } from '@/components/account/lookup/look-up-screen';
import { answers, hangs, loses, paidOrder, refuses, sent, standInForApi, toasts } from '../../support/screen-setup';

standInForApi();

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const order = { ...paidOrder, licenceCode: 'AAAA-BBBB' };
const withdrawal = { orderId: 'M-1', title: 'Ultimate', amount: '29.99', currency: 'USD', withdrawnAt: null };

async function opened() {
  render(<LookUpScreen />);
  return screen.findByRole('textbox', { name: 'Order number' }, { timeout: 15_000 });
}

async function linked() {
  window.history.replaceState(null, '', '/order-lookup#k1');
  render(<LookUpScreen />);
}

describe('order look-up', () => {
  it('asks for number and address', async () => {
    await opened();
    await press('Mail me a link');
    expect(await screen.findByText('Please enter your order number.')).toBeTruthy();
    expect(await screen.findByText('Please enter your e-mail address.')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('textbox', { name: 'Order number' }));
  });

  it('says why it was refused; once sent, tells nothing and keeps what was typed for another number', async () => {
    refuses('post', '/orders/lookup', 'Too many attempts.');
    await userEvent.type(await opened(), ' M-1 ');
    await userEvent.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'ann@example.com');
    await press('Mail me a link');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts.');
    answers('post', '/orders/lookup', null);
    await press('Mail me a link');
    expect(await screen.findByRole('heading', { name: 'Check your mail' })).toBe(document.activeElement);
    expect(screen.getByRole('status').textContent).toContain('If number and address belong together');
    expect(sent.get('POST /orders/lookup')).toEqual({ orderId: 'M-1', email: 'ann@example.com' });
    await press('Try another number');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'E-mail address' }).value).toBe('ann@example.com');
  });
});

describe('the order of a mailed link', () => {
  it('is on its way, then there', async () => {
    hangs('get', '/orders/link/k1');
    await linked();
    expect(await screen.findByText('Your order is loading.', {}, { timeout: 15_000 })).toBeTruthy();
  });

  it('shows licence and receipt', async () => {
    answers('get', '/orders/link/k1', order);
    await linked();
    expect(await screen.findByRole('heading', { name: 'Your order' }, { timeout: 15_000 })).toBeTruthy();
    expect(screen.getByText('AAAA-BBBB')).toBeTruthy();
    loses('get', '/orders/link/k1/receipt');
    await press('Download receipt');
    await expect.poll(() => toasts().join()).toMatch(/can’t be reached|connection/i);
  });

  it('asks for a new link when it opens nothing', async () => {
    refuses('get', '/orders/link/k1', 'This link is used up.');
    await linked();
    const alert = await screen.findByRole('alert', {}, { timeout: 15_000 });
    expect(within(alert).getByRole('heading', { name: 'This link opens no order' })).toBeTruthy();
    await press('Ask for a new link');
    expect(await screen.findByRole('textbox', { name: 'Order number' })).toBeTruthy();
  });

  it('tries again when no answer came, and withdraws in two steps', async () => {
    loses('get', '/orders/link/k1');
    await linked();
    await screen.findByRole('heading', { name: 'Your order didn’t load' }, { timeout: 15_000 });
    answers('get', '/orders/link/k1', order);
    await press('Try again');
    answers('post', '/orders/M-1/withdraw', { ...withdrawal, deadline: '2026-01-16T00:00:00Z' });
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw from contract' }));
    const dialog = await screen.findByRole('dialog', { name: 'Withdraw from this contract?' });
    expect(await within(dialog).findByText(/\$29\.99 goes back/)).toBeTruthy();
    expect(sent.get('POST /orders/M-1/withdraw')).toEqual({ key: 'k1' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm withdrawal' }));
    await expect.poll(toasts).toEqual(['Your withdrawal is received. A receipt of it is on its way by e-mail.']);
    expect(sent.get('POST /orders/M-1/withdraw')).toEqual({ key: 'k1', confirm: true });
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

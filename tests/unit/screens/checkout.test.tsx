import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BuyButton } from '@/components/actions/buy-button';
import { CheckoutDialog } from '@/components/actions/checkout-dialog';
import { CLOSE_MESSAGE, PAYMENT_CANCELLED, RETURN_MESSAGE, readQueryToast } from '@/components/actions/payment-return';
import { findPlan } from '@/lib/catalog/plans';
import { closed, showPayDialog, useAppState } from '@/store/app-state';
import { isCheckoutEntry } from '@/store/checkout-entry';
import { useProducts } from '@/store/products';
import { price } from '../../support/prices';
import { ann, answers, hangs, loses, refuses, sent, standInForApi, toasts } from '../../support/screen-setup';

const push = vi.fn();
const replace = vi.fn();
vi.mock('next/navigation', () => ({ usePathname: () => '/', useRouter: () => ({ push, replace }) }));
// jsdom shows no dialogs.
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
};

standInForApi();

const redirectUrl = 'http://localhost:3000/checkout?key=k';
const paid = {
  orderId: 'M-1',
  status: 'success',
  productName: 'Mendara Data Recovery for Windows',
  plan: 'Pro',
  amount: price.pro,
  currency: 'USD',
  paidAt: '2026-01-02T00:00:00Z',
  licenceCode: null,
};

/** The page's island, which is there while something is bought. */
function Island() {
  return useAppState(showPayDialog) ? <CheckoutDialog /> : null;
}

function open(productsId = 'recovery-win-pro') {
  render(
    <>
      <BuyButton productsId={productsId}>Buy Pro</BuyButton>
      <Island />
    </>,
  );
  return userEvent.click(screen.getByRole('button', { name: 'Buy Pro' }));
}

const dialog = () => screen.findByRole('dialog');
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'E-mail address' });
const state = () => useAppState.getState().checkout.is;

async function goOn(email = 'ann@example.com'): Promise<void> {
  const input = await field();
  await userEvent.clear(input);
  await userEvent.type(input, email);
  await userEvent.click(screen.getByRole('button', { name: /^(Continue to payment|Try again)$/ }));
}

/** The frame of the payment page, once it is asked for. */
async function paying(): Promise<HTMLElement> {
  answers('post', '/pay/create', { orderId: 'M-1' });
  answers('post', '/pay', { redirectUrl });
  await open();
  await goOn();
  return screen.findByTitle('Payment');
}

/** A page of ours inside the frame hands its address up. */
const handUp = (href: string, origin = window.location.origin) =>
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { origin, data: { type: RETURN_MESSAGE, href } }));
  });

beforeEach(() => {
  push.mockClear();
  replace.mockClear();
  answers('post', '/products/list', []);
});
afterEach(() => {
  act(() => useAppState.setState({ checkout: closed }));
  useProducts.setState({ rows: {} });
});

describe('closed', () => {
  it('shows no dialog, and the button is free', () => {
    render(<Island />);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(state()).toBe('closed');
  });
});

describe('email', () => {
  it('says product, price and terms before it asks, and the button waits', async () => {
    await open();
    const shown = await dialog();
    expect(within(shown).getByRole('heading').textContent).toBe(
      `Mendara Data Recovery for Windows, Pro, $${price.pro}`,
    );
    expect(shown.textContent).toContain(
      `Total today $${price.pro}, including any tax. Then $${price.pro} every year, until you press Cancel in your account.`,
    );
    expect(document.activeElement).toBe(await field());
    expect(screen.getByRole('button', { name: 'Buy Pro', hidden: true }).getAttribute('aria-disabled')).toBe('true');
    expect(state()).toBe('email');
  });

  it('of a plan that is paid once says so', async () => {
    await open('recovery-mac-ultimate');
    expect((await dialog()).textContent).toContain(
      `Total $${price.ultimate}, including any tax, paid once. Nothing renews.`,
    );
  });

  it('names what is wrong with the address beside the field, and makes no order', async () => {
    await open();
    await goOn('ann@');
    const input = await field();
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(input);
    const described = (input.getAttribute('aria-describedby') ?? '').split(' ');
    expect(described.map((id) => document.getElementById(id)?.textContent).join(' ')).toMatch(
      /^Please enter a full e-mail address/,
    );
    expect(sent.has('POST /pay/create')).toBe(false);
    expect(state()).toBe('email');
  });

  it('says one reason at a time: not why the last try led nowhere beside an address that is none', async () => {
    const plan = findPlan('recovery-win-pro');
    if (!plan) throw new Error('There is no such plan.');
    useAppState.setState({
      checkout: { is: 'email', plan, renews: null, email: 'ann@example.com', problem: 'It broke.' },
    });
    render(<CheckoutDialog />);
    expect(screen.getByRole('alert').textContent).toBe('It broke.');
    await userEvent.clear(await field());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/Please enter your e-mail address/)).toBeTruthy();
    expect(screen.queryByText('It broke.')).toBeNull();
  });

  it('keeps what was typed for the next time it opens', async () => {
    await open();
    await userEvent.clear(await field());
    await userEvent.type(await field(), 'kept@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Buy Pro' }));
    expect((await field()).value).toBe('kept@example.com');
  });
});

describe('ordering', () => {
  it('says that the order is being made, for a guest by the address', async () => {
    hangs('post', '/pay/create');
    await open();
    await goOn();
    expect((await screen.findByRole('status')).textContent).toBe('Your order is being made.');
    expect(state()).toBe('ordering');
  });

  it('comes at once for who is signed in, with one payload', async () => {
    useAppState.setState({ session: { is: 'signed-in', user: ann } });
    answers('post', '/pay/create', { orderId: 'M-1' });
    answers('post', '/pay', { redirectUrl });
    await open();
    await screen.findByTitle('Payment');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(sent.get('POST /pay/create')).toMatchObject({
      email: 'ann@example.com',
      marketingChannel: 'SEO',
      productsId: 'recovery-win-pro',
      productsPriceId: 0,
      successUrl: 'http://localhost:3000/packge-loading?website=recovery',
      cancelUrl: 'http://localhost:3000/?toast=error&tip=payment_cancelled',
    });
    expect(sent.get('POST /pay')).toEqual({ orderId: 'M-1', payExtend: '{}' });
  });

  it.each([
    [
      'the order is refused',
      () => refuses('post', '/pay/create', 'This product isn’t sold any more.'),
      /isn’t sold any more/,
    ],
    ['the order is lost', () => loses('post', '/pay/create'), /can’t be reached/],
  ])('ends with the words in a toast when %s', async (_, happens, words) => {
    happens();
    await open();
    await goOn();
    await expect.poll(toasts).toEqual([expect.stringMatching(words)]);
    expect(state()).toBe('closed');
    expect(screen.getByRole('button', { name: 'Buy Pro' }).getAttribute('aria-disabled')).toBeNull();
  });

  it('ends with the words in a toast when the payment is refused and nothing was paid', async () => {
    answers('post', '/pay/create', { orderId: 'M-1' });
    refuses('post', '/pay', 'Payments rest.');
    answers('get', '/pay/info/M-1', { ...paid, status: 'created', paidAt: null });
    await open();
    await goOn();
    await expect.poll(toasts).toEqual(['Payments rest.']);
    expect(state()).toBe('closed');
  });

  it('makes a new order where the remembered one is closed, once', async () => {
    answers('post', '/pay/create', { orderId: 'M-1' });
    refuses('post', '/pay', 'This order is over.');
    answers('get', '/pay/info/M-1', { ...paid, status: 'expired', paidAt: null });
    await open();
    await goOn();
    await expect.poll(toasts).toEqual(['This order is closed. Please choose the product again.']);
    expect(state()).toBe('closed');
  });
});

describe('paying', () => {
  it('frames the payment page, and waits in words until it has loaded', async () => {
    const frame = await paying();
    expect(frame.getAttribute('src')).toBe(redirectUrl);
    expect(screen.getByRole('status').textContent).toBe('The payment form is loading.');
    fireEvent.load(frame);
    expect(screen.queryByRole('status')).toBeNull();
    expect(state()).toBe('paying');
  });

  it('says that the payment page did not load where the browser shows an error instead, and tries again', async () => {
    const frame = await paying();
    Object.defineProperty(frame, 'contentDocument', { value: null });
    fireEvent.load(frame);
    expect(within(screen.getByRole('alert')).getByRole('heading').textContent).toBe('The payment page didn’t load');
    expect(screen.queryByTitle('Payment')).toBeNull();
    const again = screen.getByRole('button', { name: 'Try again' });
    expect(document.activeElement).toBe(again);
    await userEvent.click(again);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByTitle('Payment').getAttribute('src')).toBe(redirectUrl);
    fireEvent.load(screen.getByTitle('Payment'));
    expect(screen.queryByRole('status')).toBeNull();
    expect(state()).toBe('paying');
  });

  it('carries a business order code of the page to the payment', async () => {
    window.history.replaceState(null, '', '/?businessOrderCode=B7&model=m');
    const frame = await paying();
    expect(frame.getAttribute('src')).toBe(`${redirectUrl}&businessOrderCode=B7&model=m`);
  });

  it('goes where the frame succeeded, in the place of the overlay', async () => {
    await paying();
    handUp('http://localhost:3000/packge-loading?website=recovery&orderId=M-1');
    expect(replace.mock.calls).toEqual([['/packge-loading?website=recovery&orderId=M-1']]);
    expect(push).not.toHaveBeenCalled();
    expect(state()).toBe('closed');
  });

  it('closes by Back, as by its button, and the page stays where it is', async () => {
    window.history.pushState(null, '', '/duplicate-files-store');
    window.history.pushState(null, '', '/data-recovery-store');
    await paying();
    answers('get', '/pay/info/M-1', { ...paid, status: 'created', paidAt: null });
    window.history.back();
    await expect.poll(toasts).toEqual([PAYMENT_CANCELLED]);
    expect(state()).toBe('closed');
    expect(window.location.pathname).toBe('/data-recovery-store');
    window.history.forward();
    await expect.poll(isCheckoutEntry).toBe(true);
    expect(state()).toBe('closed');
    expect(window.location.pathname).toBe('/data-recovery-store');
  });

  it('closed by its button, takes its entry of the history along', async () => {
    window.history.pushState(null, '', '/data-recovery-store');
    for (let times = 0; times < 2; times += 1) {
      await open();
      await userEvent.click(within(await dialog()).getByRole('button', { name: 'Close' }));
      await expect.poll(isCheckoutEntry).toBe(false);
      expect(window.location.pathname).toBe('/data-recovery-store');
      cleanup();
    }
  });

  it('stays on the page where the frame was cancelled, and says so; the query goes', async () => {
    window.history.replaceState(null, '', '/data-recovery-store');
    await paying();
    handUp('http://localhost:3000/data-recovery-store?toast=error&tip=payment_cancelled');
    expect(toasts()).toEqual([PAYMENT_CANCELLED]);
    expect(window.location.search).toBe('');
    expect(push).not.toHaveBeenCalled();
  });

  it.each(['/data-recovery-store', '/duplicate-files-store/', '/whatsapp-store', '/packge-loading', '/account'])(
    'says at %s what its address asks for, and the query goes',
    (path) => {
      window.history.replaceState(null, '', `${path}?toast=error&tip=payment_cancelled&ufrom=mac`);
      readQueryToast();
      expect(toasts()).toEqual([PAYMENT_CANCELLED]);
      expect(window.location.search).toBe('?ufrom=mac');
    },
  );

  it.each([
    ['where nothing is bought', '/faq', 'payment_cancelled'],
    ['of a tip that is not ours', '/data-recovery-store', 'you_won'],
  ])('says nothing %s', (_, path, tip) => {
    window.history.replaceState(null, '', `${path}?toast=error&tip=${tip}`);
    readQueryToast();
    expect(toasts()).toEqual([]);
    expect(window.location.search).toBe('');
  });

  it('hears no other origin, and leads to none', async () => {
    await paying();
    handUp('http://localhost:3000/packge-loading', 'https://elsewhere.example');
    handUp('https://elsewhere.example/packge-loading');
    expect(state()).toBe('paying');
    expect(push).not.toHaveBeenCalled();
  });

  it.each(['created', 'cancelled', 'expired', 'failed'])(
    'closed while the order is %s, says that it is cancelled',
    async (status) => {
      await paying();
      answers('get', '/pay/info/M-1', { ...paid, status, paidAt: null });
      await userEvent.click(screen.getByRole('button', { name: 'Close' }));
      await expect.poll(toasts).toEqual([PAYMENT_CANCELLED]);
      expect(push).not.toHaveBeenCalled();
    },
  );

  it('closes by Escape in the frame, which the page in it hands up, and by no other origin', async () => {
    await paying();
    answers('get', '/pay/info/M-1', { ...paid, status: 'created', paidAt: null });
    const say = (origin: string) =>
      act(() => {
        window.dispatchEvent(new MessageEvent('message', { origin, data: { type: CLOSE_MESSAGE } }));
      });
    say('https://elsewhere.example');
    expect(state()).toBe('paying');
    say(window.location.origin);
    await expect.poll(toasts).toEqual([PAYMENT_CANCELLED]);
    expect(state()).toBe('closed');
  });

  it('closed while no answer comes, says that it is cancelled', async () => {
    await paying();
    loses('get', '/pay/info/M-1');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await expect.poll(toasts).toEqual([PAYMENT_CANCELLED]);
  });

  it.each([
    ['success', '/packge-loading?orderId=M-1&website=recovery'],
    ['pending', '/pending?orderId=M-1&website=recovery'],
  ])('closed by Back in the moment of %s, goes to the result instead', async (status, address) => {
    await paying();
    answers('get', '/pay/info/M-1', { ...paid, status });
    window.history.back();
    await expect.poll(() => push.mock.calls).toEqual([[address]]);
    expect(toasts()).toEqual([]);
  });

  it.each([
    ['success', '/packge-loading?orderId=M-1&website=recovery'],
    ['pending', '/pending?orderId=M-1&website=recovery'],
  ])('closed in the moment of %s, goes to the result instead', async (status, address) => {
    await paying();
    answers('get', '/pay/info/M-1', { ...paid, status });
    fireEvent(await dialog(), new Event('cancel', { cancelable: true }));
    await expect.poll(() => push.mock.calls).toEqual([[address]]);
    expect(toasts()).toEqual([]);
  });
});

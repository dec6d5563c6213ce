import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { removeCookie } from '@/lib/utils/cookies';
import { useAppState } from '@/store/app-state';
import { useToasts } from '@/store/toasts';

const base = 'http://localhost:3000/api/v1';
type Method = 'get' | 'post' | 'put' | 'delete';

/** The product API as a screen's test stands in for it. */
const api = setupServer();

/** What was sent to each call, as "PUT /user/info". */
export const sent = new Map<string, unknown>();

function respond(method: Method, path: string, body: object | null, status = 200): void {
  api.use(
    http[method](`${base}${path}`, async ({ request }) => {
      sent.set(`${method.toUpperCase()} ${path}`, await request.json().catch(() => null));
      return body ? HttpResponse.json(body, { status }) : HttpResponse.error();
    }),
  );
}

/** The call succeeds with this object. */
export const answers = (method: Method, path: string, obj: unknown) =>
  respond(method, path, { success: '1', msg: '', obj });

/** The call is refused with these words. */
export const refuses = (method: Method, path: string, msg: string, status = 200) =>
  respond(method, path, { success: '10400', msg, obj: null }, status);

/** No answer comes. */
export const loses = (method: Method, path: string) => respond(method, path, null);

/** The call stays on its way until the test is over. */
export const hangs = (method: Method, path: string) =>
  api.use(http[method](`${base}${path}`, () => new Promise<never>(() => {})));

/** The texts of the toasts. */
export const toasts = () => useToasts.getState().toasts.map(({ text }) => text);

/** Stands in for the API in every test of a file, and leaves nothing behind. */
export function standInForApi(): void {
  beforeAll(() => api.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => {
    api.resetHandlers();
    sent.clear();
    removeCookie('Authorization');
    removeCookie('userInfo');
    useAppState.setState({ session: { is: 'unknown' } });
    useToasts.setState({ toasts: [] });
    window.history.replaceState(null, '', '/');
  });
  afterAll(() => api.close());
}

/** Somebody who is signed in. */
export const ann = {
  id: 'u1',
  email: 'ann@example.com',
  firstName: 'Ann',
  lastName: 'Lindqvist',
  address: '12 Harbour Street',
  country: 'SE',
  hasPassword: true,
  createdAt: '2026-01-01T00:00:00Z',
  Authorization: 'good',
};

/** A paid order that can still be withdrawn from. */
export const paidOrder = {
  orderId: 'M-1',
  productName: 'Mendara Data Recovery for Mac',
  plan: 'Ultimate',
  amount: '29.99',
  currency: 'USD',
  status: 'success',
  paidAt: '2026-01-02T00:00:00Z',
  withdrawableUntil: '2026-01-16T00:00:00Z',
  withdrawnAt: null,
};

/** The message after a password was changed: its two texts, and the focus on its one button. */
export async function expectChanged(): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: 'Changed successfully' });
  within(dialog).getByText('The password has been changed successfully, you will be logged out.');
  await expect.poll(() => document.activeElement).toBe(within(dialog).getByRole('button', { name: 'OK' }));
}

import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { AccountScreen } from '@/components/account/account-screen';
import { writeCookie } from '@/lib/utils/cookies';
import { sessionStep, useAppState } from '@/store/app-state';
import { ann, answers, standInForApi } from '../../support/screen-setup';

standInForApi();

const signedIn = { session: { is: 'signed-in', user: ann } } as const;

function emptyLists() {
  answers('get', '/user/products/list', []);
  answers('get', '/user/orders', []);
  answers('get', '/user/sessions', []);
}

describe('the account', () => {
  it('waits for the session', () => {
    render(<AccountScreen />);
    expect(screen.getByRole('heading', { level: 1, name: 'Your account' })).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Your account is loading.');
  });

  it('asks again when no answer came, and nobody is signed out', async () => {
    writeCookie('Authorization', 'good', 90);
    useAppState.setState({ session: { is: 'unanswered', user: null } });
    render(<AccountScreen />);
    expect(screen.getByRole('heading', { name: 'Your account didn’t load' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('You stay signed in, and nothing is lost.');
    emptyLists();
    answers('get', '/sso/check', { id: ann.id, email: ann.email });
    answers('get', '/user/info', ann);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'My products' }, { timeout: 15_000 })).toBeTruthy();
  });

  it('shows every part, and its menu leads there', async () => {
    emptyLists();
    useAppState.setState(signedIn);
    render(<AccountScreen />);
    await screen.findByRole('heading', { name: 'My products' }, { timeout: 15_000 });
    for (const link of screen.getByRole('navigation', { name: 'Account' }).querySelectorAll('a')) {
      expect(document.querySelector(link.getAttribute('href') ?? ''), link.textContent ?? '').not.toBeNull();
    }
    expect(screen.queryByText(/one we mailed you/)).toBeNull();
  });

  it('asks to change a mailed password', async () => {
    emptyLists();
    useAppState.setState(signedIn);
    render(<AccountScreen />);
    act(() => sessionStep({ type: 'change', user: { ...ann, mustChangePassword: true } }));
    expect(screen.getByRole('link', { name: 'change it' }).getAttribute('href')).toBe('#password');
    const preset = { ...ann, mustChangePassword: true, presetEndsAt: '2026-05-08T10:00:00.000Z' };
    act(() => sessionStep({ type: 'change', user: preset }));
    expect(screen.getByText(/works until May 8, 2026, 10:00 UTC/)).toBeTruthy();
    act(() => sessionStep({ type: 'change', user: { ...preset, hasPassword: false } }));
    expect(screen.getByRole('link', { name: 'set a new one' }).getAttribute('href')).toBe('#password');
    await screen.findByRole('heading', { name: 'No products yet' }, { timeout: 15_000 });
  });
});

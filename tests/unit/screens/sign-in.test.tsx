import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { LateForm } from '@/components/account/kit/late-form';
import { SignInScreen } from '@/components/auth/screens';
import { answers, loses, refuses, sent, standInForApi } from '../../support/screen-setup';

standInForApi();

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function opened() {
  render(<SignInScreen place="here" />);
  expect(screen.getByRole('status').textContent).toBe('The form is loading.');
  await screen.findByRole('textbox', { name: 'E-mail address' }, { timeout: 15_000 });
}

async function filled(email = 'ann@example.com', password = 'first-secret') {
  await opened();
  await userEvent.type(screen.getByRole('textbox', { name: 'E-mail address' }), email);
  await userEvent.type(screen.getByLabelText('Password'), password);
}

describe('a form that comes after its outline', () => {
  it('is asked for in a task of its own, and not by a page that is left', async () => {
    const load = vi.fn(async () => () => <p>The form</p>);
    const outline = { fields: [{ label: 'E-mail address' }], submitLabel: 'Sign in' };
    render(<LateForm load={load} outline={outline} />).unmount();
    render(<LateForm load={load} outline={outline} />);
    expect(load).not.toHaveBeenCalled();
    expect(await screen.findByText('The form')).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(1);
  });
});

describe('sign-in', () => {
  it('names what is missing beside its field and goes to the first', async () => {
    await opened();
    await press('Sign in');
    const email = screen.getByRole('textbox', { name: 'E-mail address' });
    expect(await screen.findByText('Please enter your e-mail address.')).toBeTruthy();
    expect(await screen.findByText('Please enter your password.')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(email);
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true');
    const described = document.getElementById(email.getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toContain('Please enter your e-mail address.');
    expect(sent.size).toBe(0);
  });

  it('says what a full address looks like', async () => {
    await filled('ann@');
    await press('Sign in');
    expect(await screen.findByText('Please enter a full e-mail address, such as name@example.com.')).toBeTruthy();
  });

  it('no longer says why it was refused where a field is found wrong before it is sent again', async () => {
    refuses('post', '/sso/password', 'The e-mail address or password is not right.');
    await filled();
    await press('Sign in');
    expect((await screen.findByRole('alert')).textContent).toBe('The e-mail address or password is not right.');
    await userEvent.clear(screen.getByLabelText('Password'));
    await press('Sign in');
    expect(await screen.findByText('Please enter your password.')).toBeTruthy();
    await expect.poll(() => screen.queryByText('The e-mail address or password is not right.')).toBeNull();
  });

  it('takes six spaces for no password', async () => {
    await filled('ann@example.com', '      ');
    await press('Sign in');
    expect(await screen.findByText('Please enter your password.')).toBeTruthy();
    expect(sent.size).toBe(0);
  });

  it('goes to the address that the provider names', async () => {
    answers('post', '/sso/password', { url: 'http://localhost:3000/#ticket' });
    await filled();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => window.location.hash).toBe('#ticket');
    const { redirectUri, ...rest } = sent.get('POST /sso/password') as { redirectUri: string };
    expect(rest).toEqual({ email: 'ann@example.com', password: 'first-secret' });
    // A sign-in that begins on this page is bound to this window as one that began elsewhere on the site.
    const back = new URL(redirectUri);
    expect(back.origin + back.pathname).toBe('http://localhost:3000/account');
    expect(back.searchParams.get('state')).toMatch(/^[\w-]{36}$/);
    expect(sessionStorage.getItem('signInState')).toContain(back.searchParams.get('state'));
  });

  it('says why it was refused and keeps what was typed', async () => {
    refuses('post', '/sso/password', 'E-mail address or password is wrong.');
    await filled();
    await press('Sign in');
    expect((await screen.findByRole('alert')).textContent).toBe('E-mail address or password is wrong.');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'E-mail address' }).value).toBe('ann@example.com');
    expect(screen.getByRole('button', { name: 'Sign in' }).getAttribute('aria-disabled')).toBeNull();
  });

  it('says so when no answer comes', async () => {
    loses('post', '/sso/password');
    await filled();
    await press('Sign in');
    expect((await screen.findByRole('alert')).textContent).toMatch(/can’t be reached|connection/i);
  });

  it('shows the password on request and leads to reset and registration', async () => {
    await filled();
    const field = screen.getByLabelText<HTMLInputElement>(/password/i);
    expect(field.type).toBe('password');
    const eye = screen.getByRole('button', { name: 'Show what you typed' });
    expect(eye.getAttribute('aria-controls')).toBe(field.id);
    await userEvent.click(eye);
    expect([field.type, eye.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
    expect(screen.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe('/reset-password');
    expect(screen.getByRole('link', { name: 'Create one' }).getAttribute('href')).toBe('/register');
  });
});

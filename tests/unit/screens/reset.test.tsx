import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { ResetScreen } from '@/components/auth/screens';
import { answers, expectChanged, refuses, sent, standInForApi } from '../../support/screen-setup';

standInForApi();

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function opened() {
  render(<ResetScreen place="here" />);
  return screen.findByRole('textbox', { name: 'E-mail address' }, { timeout: 15_000 });
}

async function atTheCode() {
  answers('post', '/sso/code', null);
  await userEvent.type(await opened(), 'ann@example.com');
  await press('Send code');
  await screen.findByRole('heading', { name: 'Check your mail' });
}

describe('a new password by mail', () => {
  it('still takes the code after a reload', async () => {
    await atTheCode();
    cleanup();
    render(<ResetScreen place="here" />);
    await screen.findByRole('heading', { name: 'Check your mail' }, { timeout: 15_000 });
    expect(screen.getByText(/If ann@example.com has an account/)).toBeTruthy();
    await press('Change the address');
    expect(window.sessionStorage.getItem('awaitedCode')).toBeNull();
  });

  it('asks for the address, with a hint', async () => {
    const email = await opened();
    const hint = document.getElementById(email.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('The address of your account. The code goes there.');
    await press('Send code');
    expect(await screen.findByText('Please enter your e-mail address.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/login');
  });

  it('says why no code was sent', async () => {
    refuses('post', '/sso/code', 'Too many codes. Try again in an hour.');
    await userEvent.type(await opened(), 'ann@example.com');
    await press('Send code');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many codes. Try again in an hour.');
  });

  it('does not tell whether the address has an account, and checks code and passwords', async () => {
    await atTheCode();
    expect(screen.getByRole('status').textContent).toBe(
      'If ann@example.com has an account, a six-digit code is on its way there.',
    );
    await press('Change password');
    expect(await screen.findByText('Please enter the six digits from the mail.')).toBeTruthy();
    expect(await screen.findByText('Please enter your password.')).toBeTruthy();
    expect(await screen.findByText('Please enter your password again.')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('textbox', { name: 'Code from the mail' }));
  });

  it('sends the code again and says so, or why not', async () => {
    await atTheCode();
    sent.clear();
    await press('Send the code again');
    await expect
      .poll(() => screen.getByRole('status').textContent)
      .toMatch(/on its way there again\. Only the newest code/);
    expect(sent.get('POST /sso/code')).toEqual({ email: 'ann@example.com' });
    refuses('post', '/sso/code', 'Too many attempts. Please wait a little and try again.');
    await press('Send the code again');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Too many attempts. Please wait a little and try again.',
    );
    expect(screen.getByRole('status').textContent).not.toContain('again');
  });

  it('goes back to the address, which is kept', async () => {
    await atTheCode();
    await press('Change the address');
    const email = await screen.findByRole<HTMLInputElement>('textbox', { name: 'E-mail address' });
    await expect.poll(() => document.activeElement).toBe(email);
    expect(email.value).toBe('ann@example.com');
    await userEvent.type(email, '.org');
    await press('Send code');
    await screen.findByRole('heading', { name: 'Check your mail' });
    expect(sent.get('POST /sso/code')).toEqual({ email: 'ann@example.com.org' });
  });

  it('says that a code is wrong, and that the password is changed', async () => {
    await atTheCode();
    await userEvent.type(screen.getByRole('textbox', { name: 'Code from the mail' }), '123456');
    await userEvent.type(screen.getByLabelText('New password'), 'second-secret');
    await userEvent.type(screen.getByLabelText('Retype new password'), 'second-secret');
    refuses('put', '/user/password/reset', 'This code is wrong.');
    await press('Change password');
    expect((await screen.findByRole('alert')).textContent).toBe('This code is wrong.');
    answers('put', '/user/password/reset', null);
    await press('Change password');
    await expectChanged();
    expect(sent.get('PUT /user/password/reset')).toEqual({
      email: 'ann@example.com',
      code: '123456',
      newPassword: 'second-secret',
    });
  });
});

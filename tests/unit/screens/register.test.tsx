import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RegisterScreen } from '@/components/auth/screens';
import { awaitCode, awaitedCode } from '@/store/awaited-code';
import { answers, refuses, sent, standInForApi } from '../../support/screen-setup';

standInForApi();
afterEach(() => window.sessionStorage.clear());

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function opened() {
  render(<RegisterScreen place="here" />);
  await screen.findByRole('textbox', { name: 'E-mail address' }, { timeout: 15_000 });
}

async function fill(password: string, retyped: string) {
  await userEvent.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'ann@example.com');
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.type(screen.getByLabelText('Retype password'), retyped);
}

async function atTheCode() {
  answers('post', '/sso/register', { registrationId: 'r1' });
  await opened();
  await fill('first-secret', 'first-secret');
  await press('Create account');
  await screen.findByRole('heading', { name: 'Check your mail' });
}

describe('registration', () => {
  it('still takes the code after a reload, without a password kept, until it is over', async () => {
    await atTheCode();
    expect(JSON.stringify({ ...window.sessionStorage })).not.toContain('first-secret');
    cleanup();
    render(<RegisterScreen place="here" />);
    await screen.findByRole('heading', { name: 'Check your mail' }, { timeout: 15_000 });
    expect(screen.getByText(/six-digit code to ann@example.com/)).toBeTruthy();
    // It can't be registered again without the password: that is asked for.
    await press('Send the code again');
    const email = await screen.findByRole<HTMLInputElement>('textbox', { name: 'E-mail address' });
    expect(email.value).toBe('ann@example.com');
    expect(awaitedCode('registration')).toBeNull();

    awaitCode('registration', { email: 'ann@example.com', registrationId: 'r1' });
    expect(awaitedCode('reset')).toBeNull();
    expect(awaitedCode('registration')).toEqual({ email: 'ann@example.com', registrationId: 'r1' });
    vi.setSystemTime(Date.now() + 601_000);
    expect(awaitedCode('registration')).toBeNull();
    vi.useRealTimers();
    expect(window.sessionStorage.getItem('awaitedCode')).toBeNull();
  });

  it('asks for everything, and for a parent below the age', async () => {
    await opened();
    expect(screen.getByText(/If you are under 16, a parent has to agree/)).toBeTruthy();
    expect(screen.getByText('6 to 32 characters')).toBeTruthy();
    await press('Create account');
    expect(await screen.findByText('Please enter your password again.')).toBeTruthy();
    expect(await screen.findByText('Please enter your password.')).toBeTruthy();
    expect(await screen.findByText('Please enter your e-mail address.')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('textbox', { name: 'E-mail address' }));
  });

  it('calls no field wrong that nobody has been to, and follows both once it was sent', async () => {
    await opened();
    await userEvent.type(screen.getByLabelText('Password'), 'first-secret');
    await userEvent.type(screen.getByLabelText('Retype password'), 'first');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(screen.queryByText('Please enter your password again.')).toBeNull();
    expect(screen.queryByText('The passwords do not match.')).toBeNull();
    await press('Create account');
    expect(await screen.findByText('The passwords do not match.')).toBeTruthy();
    await userEvent.clear(screen.getByLabelText('Password'));
    await userEvent.type(screen.getByLabelText('Password'), 'first');
    await expect.poll(() => screen.queryByText('The passwords do not match.')).toBeNull();
  });

  it('refuses a short password and one that is typed in two ways, and takes the words back once it changes', async () => {
    await opened();
    await fill('12345', '123456');
    await press('Create account');
    expect(await screen.findByText('Password length must be 6 to 32 characters.')).toBeTruthy();
    expect(await screen.findByText('The passwords do not match.')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Password'));
    await userEvent.type(screen.getByLabelText('Password'), '6');
    await expect.poll(() => screen.queryByText('Password length must be 6 to 32 characters.')).toBeNull();
    expect(sent.size).toBe(0);
  });

  it('advises against one of the most used passwords, and takes it all the same', async () => {
    answers('post', '/sso/register', { registrationId: 'r1' });
    await opened();
    await fill('Baseball', 'Baseball');
    const advice = /^This is one of the 10,000 most used passwords/;
    expect((await screen.findByText(advice)).getAttribute('aria-live')).toBe('polite');
    await userEvent.type(screen.getByLabelText('Password'), ' in the barn');
    await expect.poll(() => screen.queryByText(advice)).toBeNull();
    await userEvent.clear(screen.getByLabelText('Password'));
    await userEvent.type(screen.getByLabelText('Password'), 'Baseball');
    expect(await screen.findByText(advice)).toBeTruthy();
    await press('Create account');
    await screen.findByRole('heading', { name: 'Check your mail' });
  });

  it('says why it was refused', async () => {
    refuses('post', '/sso/register', 'Too many attempts. Try again in an hour.');
    await opened();
    await fill('first-secret', 'first-secret');
    await press('Create account');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts. Try again in an hour.');
  });

  it('goes on with the code, whose step has the focus', async () => {
    await atTheCode();
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('heading', { name: 'Check your mail' }));
    expect(screen.getByRole('status').textContent).toContain('We sent a six-digit code to ann@example.com.');
    await userEvent.type(screen.getByRole('textbox', { name: 'Code from the mail' }), '12 34');
    await press('Confirm and sign in');
    expect(await screen.findByText('Please enter the six digits from the mail.')).toBeTruthy();
  });

  it('sends the code of the last registration, and says when it is wrong', async () => {
    await atTheCode();
    answers('post', '/sso/register', { registrationId: 'r2' });
    await press('Send the code again');
    await expect.poll(() => screen.getByRole('status').textContent).toContain('It is on its way again.');
    refuses('post', '/sso/confirm', 'This code is wrong.');
    await userEvent.type(screen.getByRole('textbox', { name: 'Code from the mail' }), '123 456');
    await press('Confirm and sign in');
    expect((await screen.findByRole('alert')).textContent).toBe('This code is wrong.');
    expect(sent.get('POST /sso/confirm')).toMatchObject({ code: '123456', registrationId: 'r2' });
    answers('post', '/sso/confirm', { url: 'http://localhost:3000/#registered' });
    await press('Confirm and sign in');
    await expect.poll(() => window.location.hash).toBe('#registered');
  });

  it('goes back to the address with everything that was typed', async () => {
    await atTheCode();
    await press('Change the address');
    const email = await screen.findByRole<HTMLInputElement>('textbox', { name: 'E-mail address' });
    await expect.poll(() => document.activeElement).toBe(email);
    expect(email.value).toBe('ann@example.com');
    await userEvent.type(email, '.org');
    await press('Create account');
    await screen.findByRole('heading', { name: 'Check your mail' });
    expect(screen.getByRole('status').textContent).toContain('ann@example.com.org.');
    expect(sent.get('POST /sso/register')).toMatchObject({ email: 'ann@example.com.org', password: 'first-secret' });
  });

  it('says why the code was not sent again', async () => {
    await atTheCode();
    refuses('post', '/sso/register', 'Not so fast.');
    await press('Send the code again');
    expect((await screen.findByRole('alert')).textContent).toBe('Not so fast.');
    expect(screen.getByRole('status').textContent).not.toContain('on its way again');
  });
});

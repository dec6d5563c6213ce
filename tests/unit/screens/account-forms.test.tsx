import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { DataPanel } from '@/components/account/data-panel';
import { AntdProvider } from '@/components/account/kit/antd-provider';
import { PasswordPanel } from '@/components/account/password-panel';
import { ProfilePanel } from '@/components/account/profile-panel';
import { ann, answers, expectChanged, loses, refuses, sent, standInForApi, toasts } from '../../support/screen-setup';

standInForApi();

const draw = (panel: ReactNode) => render(<AntdProvider>{panel}</AntdProvider>);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the profile', () => {
  const country = () => screen.getByRole('combobox', { name: 'Country' });
  const chosen = () => document.getElementById(country().getAttribute('aria-describedby') ?? '')?.textContent;

  it('is filled in, and its country is found by letters', async () => {
    answers('put', '/user/info', { ...ann, country: 'CH' });
    draw(<ProfilePanel user={ann} />);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'First name' }).value).toBe('Ann');
    expect(chosen()).toBe('Sweden');
    await userEvent.type(country(), 'swit');
    const found = await screen.findByRole('option', { name: 'Switzerland' });
    expect(screen.queryByRole('option', { name: 'Sweden' })).toBeNull();
    await userEvent.click(found);
    await expect.poll(chosen).toBe('Switzerland');
    await press('Save profile');
    await expect.poll(toasts).toEqual(['Your profile is saved.']);
    const { firstName, lastName, address } = ann;
    expect(sent.get('PUT /user/info')).toEqual({ firstName, lastName, address, country: 'CH' });
  });

  it('tells of a country that was stored before there was a list', () => {
    draw(<ProfilePanel user={{ ...ann, country: 'Ruritania' }} />);
    expect(chosen()).toBe('Ruritania');
  });

  it('says that no country has the letters', async () => {
    draw(<ProfilePanel user={ann} />);
    await userEvent.type(country(), 'qqq');
    expect(await screen.findByText('No country has these letters.')).toBeTruthy();
  });

  it('says why it was not saved and keeps what was typed', async () => {
    refuses('put', '/user/info', 'That is too long.');
    draw(<ProfilePanel user={ann} />);
    const address = screen.getByRole<HTMLInputElement>('textbox', { name: 'Address' });
    await userEvent.type(address, ' 2');
    await press('Save profile');
    expect((await screen.findByRole('alert')).textContent).toBe('That is too long.');
    expect(address.value).toBe('12 Harbour Street 2');
  });
});

describe('the password', () => {
  async function fill(current: string, password: string, retyped: string) {
    await userEvent.type(screen.getByLabelText('Current password'), current);
    await userEvent.type(screen.getByLabelText('New password'), password);
    await userEvent.type(screen.getByLabelText('Retype new password'), retyped);
  }

  it('has four messages', async () => {
    draw(<PasswordPanel user={ann} />);
    await press('Change password');
    expect(await screen.findByText('Please enter your password again.')).toBeTruthy();
    await expect.poll(() => screen.queryAllByText('Please enter your password.')).toHaveLength(2);
    await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Current password'));
    await fill('first-secret', '12345', '123456');
    await press('Change password');
    expect(await screen.findByText('Password length must be 6 to 32 characters.')).toBeTruthy();
    expect(await screen.findByText('The passwords do not match.')).toBeTruthy();
    expect(sent.size).toBe(0);
  });

  it('is not six spaces', async () => {
    draw(<PasswordPanel user={ann} />);
    await fill('      ', 'second-secret', 'second-secret');
    await press('Change password');
    expect(await screen.findByText('Please enter your password.')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Current password'));
    expect(sent.size).toBe(0);
  });

  it('turns its rule green when it is met', async () => {
    draw(<PasswordPanel user={ann} />);
    const rule = screen.getByText('6 to 32 characters');
    const before = rule.className;
    await userEvent.type(screen.getByLabelText('New password'), '123456');
    await expect.poll(() => rule.className).not.toBe(before);
  });

  it('says why it was refused, and that it is changed', async () => {
    draw(<PasswordPanel user={ann} />);
    await fill('wrong-one', 'second-secret', 'second-secret');
    refuses('put', '/user/password/reset', 'The current password is wrong.');
    await press('Change password');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('The current password is wrong.');
    // Beside the button that was pressed: on a phone the first field is out of sight then.
    const button = screen.getByRole('button', { name: 'Change password' });
    expect(alert.nextElementSibling?.contains(button)).toBe(true);
    answers('put', '/user/password/reset', null);
    await press('Change password');
    await expectChanged();
    expect(sent.get('PUT /user/password/reset')).toEqual({
      currentPassword: 'wrong-one',
      newPassword: 'second-secret',
    });
  });

  it('is set by mail where there is none', () => {
    draw(<PasswordPanel user={{ ...ann, hasPassword: false }} />);
    expect(screen.getByText(/You have no password yet. We mail a code to ann@example.com/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Get a code by e-mail' }).getAttribute('href')).toBe('/reset-password');
  });
});

describe('your data', () => {
  it('says why it was not exported', async () => {
    loses('post', '/user/export');
    draw(<DataPanel user={ann} />);
    await press('Export my data');
    expect((await screen.findByRole('alert')).textContent).toMatch(/can’t be reached|connection/i);
  });

  it('is erased after a question with the password', async () => {
    draw(<DataPanel user={ann} />);
    await press('Erase account');
    const dialog = await screen.findByRole('dialog', { name: 'Erase your account?' });
    const confirm = within(dialog).getByRole('button', { name: 'Erase account' });
    await expect.poll(() => document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Later' }));
    await userEvent.click(confirm);
    const field = within(dialog).getByLabelText('Current password');
    expect(await within(dialog).findByText('Please enter your password.')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(field);
    await userEvent.type(field, 'first-secret');
    refuses('delete', '/user', 'The password is wrong.');
    await userEvent.click(confirm);
    expect((await within(dialog).findByRole('alert')).textContent).toBe('The password is wrong.');
    answers('delete', '/user', { kept: ['One invoice.'] });
    await userEvent.click(confirm);
    const done = await screen.findByRole('dialog', { name: 'Your account is erased' });
    expect(within(done).getByText('What is still kept: One invoice.')).toBeTruthy();
    expect(sent.get('DELETE /user')).toEqual({ currentPassword: 'first-secret' });
  });

  it('needs no password where there is none, and Escape leaves everything', async () => {
    draw(<DataPanel user={{ ...ann, hasPassword: false }} />);
    await press('Erase account');
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('button', { name: 'Erase account' }));
    expect(sent.size).toBe(0);
  });
});

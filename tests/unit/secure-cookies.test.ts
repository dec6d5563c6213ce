/**
 * @vitest-environment jsdom
 * @vitest-environment-options { "url": "https://shop.example/" }
 */
import { afterEach, expect, it, vi } from 'vitest';
import { agree } from '@/lib/utils/consent';
import { withdraw } from '@/lib/utils/consent-withdrawal';
import { writeCookie } from '@/lib/utils/cookies';
import { signInHere } from '@/store/keep-user';

const written: string[] = [];
const setter = vi.spyOn(Document.prototype, 'cookie', 'set').mockImplementation((text) => {
  written.push(text);
});
afterEach(() => {
  written.length = 0;
  setter.mockClear();
});

const daysOf = (text: string) => {
  const expires = /expires=([^;]+)/.exec(text)?.[1] ?? '';
  return Math.round((new Date(expires).getTime() - Date.now()) / 86_400_000);
};

it('on https every cookie is Secure, Lax and for the whole site, with their lifetimes', () => {
  const user = {
    id: 'u1',
    email: 'ann@example.com',
    firstName: '',
    lastName: '',
    address: '',
    country: '',
    hasPassword: true,
    createdAt: '',
  };
  writeCookie('token', 'x');
  signInHere('secret', user);
  agree();
  withdraw();
  const kept = new Map(written.filter((text) => daysOf(text) > 0).map((text) => [text.split('=')[0], text]));
  expect(Object.fromEntries([...kept].map(([name, text]) => [name, daysOf(text)]))).toEqual({
    token: 2,
    Authorization: 90,
    userInfo: 90,
    uuid: 90,
  });
  for (const text of kept.values()) {
    expect(text).toMatch(/;\s*path=\/(;|$)/);
    expect(text).toMatch(/;\s*sameSite=lax(;|$)/i);
    expect(text).toMatch(/;\s*secure(;|$)/i);
  }
});

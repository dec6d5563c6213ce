import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LeadElsewhere } from '@/components/auth/elsewhere';
import { RegisterScreen, SignInScreen } from '@/components/auth/screens';

const assign = vi.fn();
beforeEach(() => {
  assign.mockReset();
  vi.stubGlobal('location', {
    ...window.location,
    assign,
    href: 'http://localhost:3000/login',
    origin: 'http://localhost:3000',
    search: '',
  });
  window.sessionStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

function at(search: string) {
  Object.assign(window.location, { search, href: `http://localhost:3000/login${search}` });
}

const led = () => new URL(String(assign.mock.calls[0]?.[0]), 'http://localhost:3000');

describe('where people sign in elsewhere', () => {
  it('the page leads there, with the way back and a state that only this browser knows', () => {
    at(`?redirect_uri=${encodeURIComponent('http://localhost:3000/account?a=1')}`);
    render(<SignInScreen place="elsewhere" />);
    expect(led().pathname).toBe('/api/v1/sso/provider/start');
    const back = new URL(led().searchParams.get('redirect_uri') ?? '');
    expect(`${back.origin}${back.pathname}`).toBe('http://localhost:3000/account');
    expect(window.sessionStorage.getItem('signInState')).toContain(back.searchParams.get('state') ?? 'none');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('a new account is asked for there', () => {
    render(<RegisterScreen place="elsewhere" />);
    expect(led().searchParams.get('intent')).toBe('register');
  });

  it('a lost password is read about first', () => {
    render(<LeadElsewhere wish="reset" />);
    expect(assign).not.toHaveBeenCalled();
    expect(screen.getByText(/Forgot password/)).toBeTruthy();
    expect(screen.getByRole('link', { name: /Go to the sign-in page/ })).toBeTruthy();
  });

  it.each([
    ['unavailable', /doesn’t answer right now/],
    ['unverified', /verified/],
    ['declined', /cancelled/],
    ['expired', /too long/],
    ['failed', /could not be trusted/],
    ['busy', /too many/],
  ])('what went wrong there is said, and nothing goes there by itself: %s', (problem, sentence) => {
    at(`?problem=${problem}`);
    render(<SignInScreen place="elsewhere" />);
    expect(screen.getByRole('alert').textContent).toMatch(sentence);
    expect(screen.getByRole('link', { name: /Try again/ }).getAttribute('href')).toContain('/sso/provider/start?');
    expect(assign).not.toHaveBeenCalled();
  });

  it('only our own words are shown', () => {
    at('?problem=constructor');
    render(<SignInScreen place="elsewhere" />);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(assign).toHaveBeenCalledTimes(1);
  });
});

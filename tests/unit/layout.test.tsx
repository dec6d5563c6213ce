import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackToTop } from '@/components/layout/back-to-top';
import { CookieBanner } from '@/components/layout/cookie-banner';
import { Footer } from '@/components/layout/footer';
import { NavMenus } from '@/components/layout/nav-menus';
import { limits } from '@/lib/catalog/limits';
import { navigation } from '@/lib/content/navigation';
import { showState } from '@/lib/utils/consent';

vi.mock('next/navigation', () => ({ usePathname: () => '/' }));

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  window.localStorage.clear();
});

afterEach(() => vi.unstubAllGlobals());

describe('menus', () => {
  const menu = () => screen.getByRole('button', { name: 'Data Recover&Transfer' });
  const draw = () => render(<NavMenus bar={navigation('mendara').bar}>end</NavMenus>);

  it('open one at a time', async () => {
    draw();
    await userEvent.click(menu());
    expect(menu().getAttribute('aria-expanded')).toBe('true');
    await userEvent.click(screen.getByRole('button', { name: 'Support' }));
    expect(menu().getAttribute('aria-expanded')).toBe('false');
  });

  it('close on Escape and give focus back', async () => {
    draw();
    await userEvent.click(menu());
    await userEvent.tab();
    await userEvent.keyboard('{Escape}');
    expect(menu().getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(menu());
  });

  it('close on a click elsewhere', async () => {
    draw();
    await userEvent.click(menu());
    fireEvent.pointerDown(document.body);
    expect(menu().getAttribute('aria-expanded')).toBe('false');
  });
});

describe('drawer', () => {
  it('makes the page behind inert while it is open', async () => {
    render(
      <div>
        <header>
          <NavMenus bar={navigation('mendara').bar}>end</NavMenus>
        </header>
        <main>page</main>
      </div>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Open menu' }));
    await waitFor(() => expect(screen.getByText('page').hasAttribute('inert')).toBe(true));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByText('page').hasAttribute('inert')).toBe(false));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open menu' }));
  });
});

describe('cookie banner', () => {
  it('gives the focus back where it was before, or to the page, when it goes', async () => {
    for (const from of ['Search', null]) {
      window.localStorage.clear();
      const { unmount } = render(
        <main id="main" tabIndex={-1}>
          <button type="button">Search</button>
          <CookieBanner />
        </main>,
      );
      if (from) screen.getByRole('button', { name: from }).focus();
      await userEvent.click(screen.getByRole('button', { name: 'Agree' }));
      expect(document.activeElement).toBe(
        from ? screen.getByRole('button', { name: from }) : document.getElementById('main'),
      );
      unmount();
    }
  });

  it('stays until Agree and remembers it', async () => {
    render(<CookieBanner />);
    expect(screen.getByRole('link', { name: 'Cookie policy' }).getAttribute('href')).toBe('/cookies-policy');
    await userEvent.click(screen.getByRole('button', { name: 'Agree' }));
    expect(screen.queryByRole('button', { name: 'Agree' })).toBeNull();
    expect(window.localStorage.getItem('isAgreeCookie')).toBe('true');
  });

  it('folds where storage is denied, too, for as long as the page stays', async () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    render(<CookieBanner />);
    await userEvent.click(screen.getByRole('button', { name: 'No, thanks' }));
    expect(document.documentElement.dataset.cookies).toBe('folded');
    // A move within the app asks storage again, by the inline script.
    document.documentElement.dataset.cookies = 'open';
    showState();
    expect(document.documentElement.dataset.cookies).toBe('folded');
    await userEvent.click(screen.getByRole('button', { name: 'Cookies' }));
    expect(document.documentElement.dataset.cookies).toBe('open');
    vi.restoreAllMocks();
  });
});

describe('back to top', () => {
  it('appears after more than 900 pixels', () => {
    render(<BackToTop />);
    const scrollTo = (y: number) =>
      act(() => {
        Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
        window.dispatchEvent(new Event('scroll'));
      });
    scrollTo(limits.backToTopPx);
    expect(screen.queryByRole('button')).toBeNull();
    scrollTo(limits.backToTopPx + 1);
    expect(screen.getByRole('button', { name: 'Back to top' })).toBeTruthy();
    scrollTo(0);
  });
});

describe('footer', () => {
  it('has four columns and the current year', () => {
    render(<Footer skin="chatferry" />);
    for (const name of ['Hot Products', 'Online Tools', 'Sources', 'Company']) {
      expect(screen.getByRole('navigation', { name })).toBeTruthy();
    }
    expect(screen.getByText(new RegExp(String(new Date().getFullYear())))).toBeTruthy();
    expect(screen.getByText(/not affiliated with WhatsApp/)).toBeTruthy();
  });
});

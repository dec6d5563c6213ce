import { afterEach } from 'vitest';

const isBrowser = typeof window !== 'undefined';
// Rules without a screen need no library of screens.
const screens = isBrowser ? await import('@testing-library/react') : null;

// jsdom measures nothing; antd asks for what it has not.
if (isBrowser) {
  // What is waited for comes; how soon is the machine's affair.
  screens?.configure({ asyncUtilTimeout: 20_000 });
  Element.prototype.scrollIntoView ??= () => {};
  window.matchMedia ??= ((query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  })) as typeof window.matchMedia;
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
}

afterEach(() => {
  if (!isBrowser) return;
  screens?.cleanup();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

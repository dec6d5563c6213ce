import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

const isBrowser = typeof window !== 'undefined';

// jsdom measures nothing; antd asks for what it has not.
if (isBrowser) {
  // What is waited for comes; how soon is the machine's affair.
  configure({ asyncUtilTimeout: 20_000 });
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
  cleanup();
  window.localStorage.clear();
  window.sessionStorage.clear();
});

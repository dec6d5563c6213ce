import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prefetchLinks } from '@/components/actions/prefetch-links';
import { buttonClass } from '@/components/ui/button';

type Watch = { see: (element: Element) => void; watched: Set<Element> };

/** An observer whose views the test decides. */
function watchViews(): Watch {
  const watched = new Set<Element>();
  let tell: (entries: { isIntersecting: boolean; target: Element }[]) => void = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: typeof tell) {
        tell = callback;
      }
      observe = (element: Element) => watched.add(element);
      unobserve = (element: Element) => watched.delete(element);
      disconnect = () => watched.clear();
    },
  );
  return { watched, see: (target) => watched.has(target) && tell([{ isIntersecting: true, target }]) };
}

const link = (name: string) => document.querySelector(`[data-name=${name}]`) as HTMLAnchorElement;
const over = (name: string) => link(name).dispatchEvent(new Event('pointerover', { bubbles: true }));

describe('pages fetched ahead', () => {
  let views: Watch;
  let asked: string[];
  let stop: AbortController;

  beforeEach(() => {
    vi.useFakeTimers();
    window.history.replaceState(null, '', '/?gclid=1&toast=x');
    const names = ['faq', 'store', 'guide', 'howto'];
    document.body.innerHTML = `<main>${names
      .map((name) => `<a class="${buttonClass()}" data-name="${name}" href="/${name}"><b>${name}</b></a>`)
      .join('')}
      <a data-name="here" href="/#part">Part</a><a data-name="away" href="https://example.com/">Away</a>
      <a data-name="file" href="/installer.exe">File</a></main>`;
    views = watchViews();
    asked = [];
    stop = new AbortController();
    prefetchLinks((address) => void asked.push(address), stop.signal);
  });

  afterEach(() => {
    stop.abort();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'connection');
  });

  it('are those that a pointer rests on, once, with the query that links keep', () => {
    over('faq');
    over('store');
    vi.advanceTimersByTime(100);
    expect(asked).toEqual(['/store?gclid=1']);
    over('store');
    vi.advanceTimersByTime(100);
    expect(asked).toHaveLength(1);
  });

  it('are those that are pressed, at once, and those whose link keeps the focus', () => {
    link('faq').firstElementChild?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(asked).toEqual(['/faq?gclid=1']);
    link('guide').focus();
    vi.advanceTimersByTime(100);
    expect(asked).toEqual(['/faq?gclid=1', '/guide?gclid=1']);
  });

  it('are no places of this page, no files and no other sites', () => {
    for (const name of ['here', 'away', 'file']) {
      over(name);
      vi.advanceTimersByTime(100);
    }
    expect(asked).toEqual([]);
  });

  it('are those of the first two buttons that come into view', () => {
    for (const name of ['howto', 'faq', 'store']) views.see(link(name));
    expect(asked).toEqual(['/howto?gclid=1', '/faq?gclid=1']);
    expect(views.watched.size).toBe(0);
  });

  it('are none where data is to be saved, or where there is hardly any', () => {
    for (const connection of [{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }]) {
      Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
      link('faq').dispatchEvent(new Event('pointerdown', { bubbles: true }));
      views.see(link('store'));
    }
    expect(asked).toEqual([]);
  });

  it('end with the page', () => {
    over('faq');
    stop.abort();
    vi.advanceTimersByTime(100);
    link('faq').dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(asked).toEqual([]);
    expect(views.watched.size).toBe(0);
  });
});

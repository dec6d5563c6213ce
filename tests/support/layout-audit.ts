import type { Page } from '@playwright/test';

/** What a page may not do at a width: each line names the fault and the element. */
export async function auditLayout(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) =>
      `<${element.tagName.toLowerCase()}> "${(element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
    const isShown = (element: Element) => {
      const box = element.getBoundingClientRect();
      return (
        box.width > 1 && box.height > 1 && element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true })
      );
    };
    const all = (selector: string) => [...document.querySelectorAll(selector)];

    const sideways = () => {
      const pixels = document.documentElement.scrollWidth - window.innerWidth;
      return pixels > 0 ? [`sideways scroll of ${pixels} px`] : [];
    };

    // Targets of at least 24 px (WCAG 2.2, 2.5.8); a link inside a sentence is excepted there.
    const smallTargets = () =>
      all('a[href], button, input, select, textarea, summary').flatMap((target) => {
        const isInSentence = target.tagName === 'A' && getComputedStyle(target).display === 'inline';
        const { width, height } = target.getBoundingClientRect();
        const isSmall = isShown(target) && !isInSentence && (height < 24 || width < 24);
        return isSmall ? [`target of ${Math.round(width)} × ${Math.round(height)} px: ${name(target)}`] : [];
      });

    const picturesWithoutSize = () =>
      all('img, svg').flatMap((picture) => {
        const isInsideAnother = picture.parentElement?.closest('svg');
        const isSized = picture.hasAttribute('width') && picture.hasAttribute('height');
        if (isInsideAnother || isSized || getComputedStyle(picture).position === 'absolute') return [];
        return [`picture without size: ${picture.outerHTML.slice(0, 80)}`];
      });

    // Kept for assistive technology only, as the head of a table that stands as cards.
    const isClippedAway = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).clipPath !== 'none' || isClippedAway(element.parentElement));
    const texts = all('h1, h2, h3, h4, p, li, dt, dd, td, th, label, button, summary').filter(
      (element) =>
        isShown(element) &&
        !isClippedAway(element) &&
        !element.closest('.sr, [aria-label="Cookies"], dialog') &&
        (element.textContent ?? '').trim() !== '' &&
        ![...element.children].some((child) => /^(block|flex|grid|table)/.test(getComputedStyle(child).display)),
    );

    const clippedTexts = () =>
      texts.flatMap((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element);
        const mayClip = overflowX !== 'visible' && textOverflow !== 'ellipsis';
        return mayClip && element.scrollWidth > element.clientWidth + 1 ? [`clipped text: ${name(element)}`] : [];
      });

    // Boxes are read once: the pairs are many.
    const overlaps = () => {
      const main = texts
        .filter((element) => element.closest('main, footer'))
        .map((element) => ({ element, box: element.getBoundingClientRect() }));
      return main.flatMap((first, index) =>
        main
          .slice(index + 1)
          .filter(({ element, box }) => {
            const across = Math.min(first.box.right, box.right) - Math.max(first.box.left, box.left);
            const down = Math.min(first.box.bottom, box.bottom) - Math.max(first.box.top, box.top);
            const isApart = !first.element.contains(element) && !element.contains(first.element);
            return across > 2 && down > 2 && isApart;
          })
          .map((second) => `overlap: ${name(first.element)} and ${name(second.element)}`),
      );
    };
    return [...sideways(), ...smallTargets(), ...picturesWithoutSize(), ...clippedTexts(), ...overlaps()];
  });
}

/** Sum of the layout shifts that no input caused, as browsers count them. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
            if (!entry.hadRecentInput) sum += entry.value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );
}

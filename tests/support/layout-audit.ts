import type { Page } from '@playwright/test';

/** What a page may not do at a width: each line names the fault and the element. */
export async function auditLayout(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const name = (element: Element) =>
      `<${element.tagName.toLowerCase()}> "${(element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
    const isShown = (element: Element) => {
      const box = element.getBoundingClientRect();
      return (
        box.width > 1 && box.height > 1 && element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true })
      );
    };

    const sideways = document.documentElement.scrollWidth - window.innerWidth;
    if (sideways > 0) faults.push(`sideways scroll of ${sideways} px`);

    // Targets of at least 24 px (WCAG 2.2, 2.5.8); a link inside a sentence is excepted there.
    for (const target of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
      if (!isShown(target)) continue;
      const isInSentence = target.tagName === 'A' && getComputedStyle(target).display === 'inline';
      const box = target.getBoundingClientRect();
      if (!isInSentence && (box.height < 24 || box.width < 24)) {
        faults.push(`target of ${Math.round(box.width)} × ${Math.round(box.height)} px: ${name(target)}`);
      }
    }

    for (const picture of document.querySelectorAll('img, svg')) {
      const isInsideAnother = picture.parentElement?.closest('svg');
      if (isInsideAnother || (picture.hasAttribute('width') && picture.hasAttribute('height'))) continue;
      const { position } = getComputedStyle(picture);
      if (position !== 'absolute') faults.push(`picture without size: ${picture.outerHTML.slice(0, 80)}`);
    }

    // Kept for assistive technology only, as the head of a table that stands as cards.
    const isClippedAway = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).clipPath !== 'none' || isClippedAway(element.parentElement));
    const texts = [
      ...document.querySelectorAll('h1, h2, h3, h4, p, li, dt, dd, td, th, label, button, summary'),
    ].filter(
      (element) =>
        isShown(element) &&
        !isClippedAway(element) &&
        !element.closest('.sr, [aria-label="Cookies"], dialog') &&
        (element.textContent ?? '').trim() !== '' &&
        ![...element.children].some((child) => /^(block|flex|grid|table)/.test(getComputedStyle(child).display)),
    );
    for (const element of texts) {
      const { overflowX, textOverflow } = getComputedStyle(element);
      if (overflowX !== 'visible' && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1) {
        faults.push(`clipped text: ${name(element)}`);
      }
    }
    const main = texts.filter((element) => element.closest('main, footer'));
    for (const [index, first] of main.entries()) {
      const a = first.getBoundingClientRect();
      for (const second of main.slice(index + 1)) {
        if (first.contains(second) || second.contains(first)) continue;
        const b = second.getBoundingClientRect();
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > 2) faults.push(`overlap: ${name(first)} and ${name(second)}`);
      }
    }
    return faults;
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

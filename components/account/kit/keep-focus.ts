import type { MouseEvent } from 'react';

/**
 * Gives the focus to the first control of `place`, or to the place itself, where the control that had it went with what
 * it did. Otherwise a keyboard or a screen reader would start again at the top of the page (WCAG 2.2, 2.4.3).
 */
export function keepFocusIn(place: HTMLElement | null | undefined): void {
  // By the next frame the new controls stand there.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      (place?.querySelector<HTMLElement>('a[href], button') ?? place)?.focus();
  });
}

/**
 * A press that takes its own button away, as another try does: the focus stays in the dialog, or goes to the heading of the part that
 * the button stood in.
 */
export function keepingFocus(act: () => void): (event: MouseEvent<HTMLElement>) => void {
  return ({ currentTarget }) => {
    const dialog = currentTarget.closest<HTMLElement>('[role="dialog"]');
    const place = dialog ?? currentTarget.closest('section')?.querySelector<HTMLElement>('h2[tabindex]');
    act();
    keepFocusIn(place ?? document.getElementById('main'));
  };
}

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

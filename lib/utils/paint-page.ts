/** Sets the attributes of the inline script again; a page without it, as in a test, has none. */
export function paintPage(): void {
  (window as { paint?: () => void }).paint?.();
}

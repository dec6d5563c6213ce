/** Buttons that were pressed before the framework was there (boot.ts). From this call on it hears presses itself. */
export function takeEarlyPresses(): HTMLElement[] {
  const page = window as { early?: Set<HTMLElement> | null };
  const kept = [...(page.early ?? [])];
  page.early = null;
  for (const button of kept) button.ariaBusy = null;
  return kept;
}

'use client';

import { type ComponentType, startTransition, useCallback, useEffect, useState } from 'react';

/** A part of a screen that comes after its shell. */
export type Late<Props> = { Screen: ComponentType<Props> | null; hasFailed: boolean; retry: () => void };

/**
 * Loads a part of the screen once the page has loaded, so that the shell paints first and its own script is not kept
 * waiting. `load` keeps its identity. What fails goes on to who reloads the page for a missing part.
 */
export function useLate<Props extends object>(load: () => Promise<ComponentType<Props>>): Late<Props> {
  const [Screen, setScreen] = useState<ComponentType<Props> | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const start = useCallback(async () => {
    setFailed(false);
    try {
      const part = await load();
      // Drawn in slices, so that the page hears presses meanwhile; the shell stays until it is done.
      startTransition(() => setScreen(() => part));
    } catch (error) {
      setFailed(true);
      throw error;
    }
  }, [load]);
  useEffect(() => {
    // A task of its own: asking for the many files of a part takes a while, and what draws the shell has just taken its own.
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      timer = setTimeout(() => void start());
    };
    if (document.readyState === 'complete') begin();
    else window.addEventListener('load', begin, { once: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('load', begin);
    };
  }, [start]);
  return { Screen, hasFailed, retry: () => void start() };
}

'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { withPart } from '@/store/parts';

/**
 * A part of the program that is drawn once it has come. Unlike `lazy`, a part that did not come leaves the page as it
 * is and can be asked for again; `onFailure` takes back what waited for it.
 */
export function Part({ load, onFailure }: { load: () => Promise<ComponentType>; onFailure: () => void }) {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isOver = false;
    void withPart(async () => {
      try {
        const component = await load();
        if (!isOver) setLoaded(() => component);
      } catch (error) {
        if (!isOver) onFailure();
        throw error;
      }
    });
    return () => {
      isOver = true;
    };
  }, [load, onFailure]);
  return Loaded ? <Loaded /> : null;
}

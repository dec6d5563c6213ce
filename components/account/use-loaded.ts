'use client';

import { useCallback, useEffect, useState } from 'react';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';

export type Loaded<T> = { state: 'loading' } | { state: 'ready'; value: T } | { state: 'failed'; msg: string };

/** Loads something when the component appears, and again on request; `load` must keep its identity. */
export function useLoaded<T>(load: () => Promise<Result<T, ApiError>>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const reload = useCallback(async () => {
    setLoaded({ state: 'loading' });
    try {
      const result = await load();
      setLoaded(result.ok ? { state: 'ready', value: result.value } : { state: 'failed', msg: result.error.msg });
    } catch {
      setLoaded({ state: 'failed', msg: 'This part of the page didn’t load. Check your connection and try again.' });
    }
  }, [load]);
  useEffect(() => {
    void reload();
  }, [reload]);
  const replace = useCallback((value: T) => setLoaded({ state: 'ready', value }), []);
  return { loaded, reload, replace };
}

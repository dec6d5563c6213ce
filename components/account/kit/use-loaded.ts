'use client';

import { useCallback, useEffect, useState } from 'react';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';

/** `refused`: the server answered, so trying again brings the same; otherwise no answer came. */
export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; msg: string; refused: boolean };

function failedBy({ kind, msg }: Pick<ApiError, 'kind' | 'msg'>): Loaded<never> {
  return { state: 'failed', msg, refused: kind === 'refusal' };
}

/** Loads something when the component appears, and again on request; `load` must keep its identity. */
export function useLoaded<T>(load: () => Promise<Result<T, ApiError>>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const reload = useCallback(async () => {
    setLoaded({ state: 'loading' });
    try {
      const result = await load();
      setLoaded(result.ok ? { state: 'ready', value: result.value } : failedBy(result.error));
    } catch {
      setLoaded(
        failedBy({ kind: 'network', msg: 'This part of the page didn’t load. Check your connection and try again.' }),
      );
    }
  }, [load]);
  useEffect(() => {
    void reload();
  }, [reload]);
  const replace = useCallback((value: T) => setLoaded({ state: 'ready', value }), []);
  return { loaded, reload, replace };
}

'use client';

import type { ReactNode } from 'react';
import { useAppState } from '@/store/app-state';

/**
 * The navigation bar or the footer, while the app state shows it. Until the framework is there, the inline script's
 * attribute hides what the address hides.
 */
export function Bar({ shown, children }: { shown: 'showNavBar' | 'showFooterBar'; children: ReactNode }) {
  return useAppState((state) => state[shown]) ? children : null;
}

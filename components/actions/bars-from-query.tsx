'use client';

import { useEffect } from 'react';
import { useAppState } from '@/store/app-state';

/** Tool pages hide their bars with `hideHeader=1` and `hideFooter=1` (contract, "Routes beyond the specification's table"). */
export function BarsFromQuery() {
  useEffect(() => {
    const query = new URLSearchParams(window.location.search);
    const hidden = { showNavBar: query.get('hideHeader') !== '1', showFooterBar: query.get('hideFooter') !== '1' };
    useAppState.setState(hidden);
    const root = document.documentElement;
    root.toggleAttribute('data-hide-header', !hidden.showNavBar);
    root.toggleAttribute('data-hide-footer', !hidden.showFooterBar);
    return () => {
      useAppState.setState({ showNavBar: true, showFooterBar: true });
      root.removeAttribute('data-hide-header');
      root.removeAttribute('data-hide-footer');
    };
  }, []);
  return null;
}

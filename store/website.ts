import type { Website } from '../lib/catalog/types';
import { storeServiceValues } from '../lib/utils/client-values';
import { useAppState } from './app-state';

/** The brand that is meant from here on: for the screens, and stored for the header of every call. */
export function meanWebsite(website: Website): void {
  storeServiceValues(website);
  useAppState.setState({ website });
}

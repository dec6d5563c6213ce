'use client';

import { usePathname, useRouter } from 'next/navigation';
import { lazy, Suspense, useEffect } from 'react';
import type { Website } from '@/lib/catalog/types';
import { readStored, writeStored } from '@/lib/utils/browser-storage';
import { channel, storeServiceValues } from '@/lib/utils/client-values';
import { keepAllowedValues, onConsentChange } from '@/lib/utils/consent';
import { useAppState } from '@/store/app-state';
import { useCheckout } from '@/store/checkout-state';
import { logEvent } from '@/store/event-log';
import { bootSession, followOtherTabs } from '@/store/session';
import { setHomeNavigation } from '@/store/session-state';
import { watchChunkFailures } from './chunk-reload';
import { LinkNavigation } from './link-navigation';
import { handOverFramedAddress, readQueryToast } from './return-address';
import { Toaster } from './toaster';

const CheckoutDialog = lazy(() => import('./checkout-dialog').then((module) => ({ default: module.CheckoutDialog })));

let booted = false;

/** What runs once per load of the site, whichever page came first. */
function bootOnce(): void {
  if (booted) return;
  booted = true;
  keepAllowedValues();
  useAppState.setState({ channel: channel() ?? null });
  void bootSession();
  watchOtherTabs();
  watchChunkFailures({
    read: (key) => readStored(key, 'sessionStorage'),
    write: (key, value) => writeStored(key, value, 'sessionStorage'),
  });
}

/** Browsers with a cookie store tell of a change at once, the others when the page is looked at again. */
function watchOtherTabs(): void {
  const follow = () => void followOtherTabs();
  const { cookieStore } = window as { cookieStore?: EventTarget };
  cookieStore?.addEventListener('change', follow);
  window.addEventListener('focus', follow);
  document.addEventListener('visibilitychange', follow);
}

/**
 * The islands of every page: session, toasts, checkout, link navigation. `website` is the brand whose installer and
 * prices are meant from this page on.
 */
export function SiteIslands({ website }: { website: Website }) {
  const router = useRouter();
  const pathname = usePathname();
  const dialogNeeded = useCheckout((state) => state.phase !== 'closed');

  useEffect(() => {
    if (handOverFramedAddress()) return;
    setHomeNavigation(() => router.push('/'));
    bootOnce();
  }, [router]);

  useEffect(() => {
    storeServiceValues(website);
    useAppState.setState({ website });
  }, [website]);

  useEffect(() => {
    readQueryToast();
    logEvent('page_view', { path: pathname });
    return onConsentChange((agreed) => {
      if (agreed) logEvent('page_view', { path: pathname });
    });
  }, [pathname]);

  return (
    <>
      <LinkNavigation />
      <Toaster />
      {dialogNeeded ? (
        <Suspense fallback={null}>
          <CheckoutDialog />
        </Suspense>
      ) : null}
    </>
  );
}

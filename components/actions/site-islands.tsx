'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import type { Website } from '@/lib/catalog/types';
import { channel } from '@/lib/utils/client-values';
import { keepAllowedValues, onConsentChange, showState } from '@/lib/utils/consent';
import { takeEarlyPresses } from '@/lib/utils/early-presses';
import { programAddress } from '@/lib/utils/going';
import { websiteOfPage } from '@/lib/utils/order-brand';
import { paintPage } from '@/lib/utils/paint-page';
import { closed, meanWebsite, showPayDialog, useAppState } from '@/store/app-state';
import { logEvent } from '@/store/event-log';
import { forgetTyped, watchPage, withPart } from '@/store/parts';
import { bootSession, followOtherTabs } from '@/store/session';
import { setHomeNavigation } from '@/store/session-state';
import { showKeptToast } from '@/store/toasts';
import { LinkNavigation } from './link-navigation';
import { Part } from './part';
import { Toaster } from './toaster';

const loadCheckout = () => import('./checkout-dialog').then((module) => module.CheckoutDialog);
const loadQuestion = () => import('./sign-in-question').then((module) => module.SignInQuestion);

const closeCheckout = () => useAppState.setState({ checkout: closed });
/** A question that can't be shown is answered with no, so that nothing waits for it for ever. */
const refuseSignIn = () => useAppState.getState().question?.answer(false);

let booted = false;

/** What runs once per load of the site, whichever page came first. */
function bootOnce(): void {
  if (booted) return;
  booted = true;
  keepAllowedValues();
  readChannel();
  onConsentChange(readChannel);
  watchPage();
  showKeptToast();
  void withPart(bootSession);
  watchOtherTabs();
  for (const button of takeEarlyPresses()) button.click();
}

/** What a page does that somebody came to: it says what its address asks for, and is counted. */
function arrive(path: string): void {
  if (/[?&]toast=/.test(window.location.search)) {
    void withPart(async () => (await import('./payment-return')).readQueryToast());
  }
  logEvent('page_view', { path });
}

/** Agreeing keeps the channel, and withdrawing forgets the kept one. */
const readChannel = () => useAppState.setState({ channel: channel() ?? null });

/** Browsers with a cookie store tell of a change at once, the others when the page is looked at again. */
function watchOtherTabs(): void {
  const follow = () => void withPart(followOtherTabs);
  const { cookieStore } = window as { cookieStore?: EventTarget };
  cookieStore?.addEventListener('change', follow);
  window.addEventListener('focus', follow);
  document.addEventListener('visibilitychange', follow);
}

/**
 * The islands of every page: session, toasts, checkout, link navigation. `website` is the brand whose installer and
 * prices are meant from this page on; `navBar` and `footerBar` say whether the page has those at all.
 */
export function SiteIslands({ website, navBar, footerBar }: { website: Website; navBar: boolean; footerBar: boolean }) {
  const router = useRouter();
  const pathname = usePathname();
  const dialogNeeded = useAppState(showPayDialog);
  const questionNeeded = useAppState((state) => state.question !== null);

  useEffect(() => {
    const boot = () => {
      setHomeNavigation(() => router.push(programAddress('/')));
      bootOnce();
    };
    if (window.parent === window) return boot();
    // A page in a frame may be where the payment led to: then the window around it goes there.
    void withPart(async () => {
      let isHandedOver = false;
      try {
        isHandedOver = (await import('./payment-return')).handOverFramedAddress();
      } finally {
        // A page that can't tell is used where it is.
        if (!isHandedOver) {
          const isFirst = !booted;
          boot();
          if (isFirst) arrive(window.location.pathname);
        }
      }
    });
  }, [router]);

  useLayoutEffect(() => {
    meanWebsite(websiteOfPage(website, pathname, window.location.search));
    paintPage();
    showState();
    const root = document.documentElement;
    useAppState.setState({
      showNavBar: navBar && !root.hasAttribute('data-hide-header'),
      showFooterBar: footerBar && !root.hasAttribute('data-hide-footer'),
    });
  }, [website, navBar, footerBar, pathname]);

  useEffect(() => {
    forgetTyped();
    // Of a page in a frame it is not known yet whether anybody stays there.
    if (booted) arrive(pathname);
    return onConsentChange((agreed) => {
      if (agreed) logEvent('page_view', { path: pathname });
    });
  }, [pathname]);

  return (
    <>
      <LinkNavigation />
      <Toaster />
      {dialogNeeded ? <Part load={loadCheckout} onFailure={closeCheckout} /> : null}
      {questionNeeded ? <Part load={loadQuestion} onFailure={refuseSignIn} /> : null}
    </>
  );
}

/**
 * The navigation bar or the footer, while the app state shows it. Until the framework is there, the inline script's
 * attribute hides what the address hides.
 */
export function Bar({ shown, children }: { shown: 'showNavBar' | 'showFooterBar'; children: ReactNode }) {
  return useAppState((state) => state[shown]) ? children : null;
}

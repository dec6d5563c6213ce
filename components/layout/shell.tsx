import type { ReactNode } from 'react';
import { LookAhead } from '@/components/actions/look-ahead';
import { Bar, SiteIslands } from '@/components/actions/site-islands';
import type { Skin, Website } from '@/lib/catalog/types';
import styles from '@/styles/site.module.scss';
import { BackToTop } from './back-to-top';
import { CookieBanner } from './cookie-banner';
import { Footer } from './footer';
import { Header } from './header';
import { Rise } from './rise';

type ShellProps = {
  children: ReactNode;
  skin: Skin;
  /** The stored brand from here on; the skin's own unless a page belongs to another product. */
  website?: Website | undefined;
  hideHeader?: boolean;
  hideFooter?: boolean;
  /** A screen on which somebody works, rather than a page of content: no pages are fetched ahead from it. */
  isScreen?: boolean;
  /** The skin is that of an order's product, which only the visitor's browser knows: these are the bars of both, of which the inline script's `data-skin` shows one. */
  brandBars?: { header: ReactNode; footer: ReactNode };
};

/** What stands around every page. The skin's tokens come from `data-skin`. */
export function Shell(props: ShellProps) {
  const { children, skin, website, hideHeader = false, hideFooter = false, isScreen = false, brandBars } = props;
  return (
    <div data-skin={skin} className={styles.shell}>
      <a className={styles.shellSkip} href="#main">
        Skip to content
      </a>
      {!hideHeader && <Bar shown="showNavBar">{brandBars?.header ?? <Header skin={skin} />}</Bar>}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {!hideFooter && <Bar shown="showFooterBar">{brandBars?.footer ?? <Footer skin={skin} />}</Bar>}
      <BackToTop />
      <CookieBanner />
      <Rise />
      {!isScreen && <LookAhead />}
      <SiteIslands
        website={website ?? (skin === 'chatferry' ? 'whatsapp' : 'recovery')}
        navBar={!hideHeader}
        footerBar={!hideFooter}
      />
    </div>
  );
}

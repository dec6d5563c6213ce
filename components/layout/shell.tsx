import type { ReactNode } from 'react';
import { SiteIslands } from '@/components/actions/site-islands';
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
  website?: Website;
  hideHeader?: boolean;
  hideFooter?: boolean;
  /** The skin is that of an order's product, which only the visitor's browser knows: both skins' bars are in the page. */
  followsBrand?: boolean;
};

/** What stands around every page. The skin's tokens come from `data-skin`. */
export function Shell({
  children,
  skin,
  website,
  hideHeader = false,
  hideFooter = false,
  followsBrand = false,
}: ShellProps) {
  return (
    <div data-skin={skin} data-follows-brand={followsBrand ? '' : undefined} className={styles.shell}>
      <a className={styles.shellSkip} href="#main">
        Skip to content
      </a>
      {!hideHeader && <Bar part={Header} skin={skin} both={followsBrand} />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {!hideFooter && <Bar part={Footer} skin={skin} both={followsBrand} />}
      <BackToTop />
      <CookieBanner />
      <Rise />
      <SiteIslands website={website ?? (skin === 'chatferry' ? 'whatsapp' : 'recovery')} />
    </div>
  );
}

function Bar({ part: Part, skin, both }: { part: typeof Header | typeof Footer; skin: Skin; both: boolean }) {
  if (!both) return <Part skin={skin} />;
  return (
    <>
      <div className="for-mendara">
        <Part skin="mendara" />
      </div>
      <div className="for-chatferry">
        <Part skin="chatferry" />
      </div>
    </>
  );
}

import { QueryLink } from '@/components/actions/query-link';
import { brandSentences, brands } from '@/lib/catalog/brands';
import type { Skin } from '@/lib/catalog/types';
import { navigation } from '@/lib/content/navigation';
import styles from '@/styles/site.module.scss';
import { Logo } from './logo';

/** The night field with four columns of links. The year is the build's. */
export function Footer({ skin }: { skin: Skin }) {
  const { footer, footerLine } = navigation(skin);
  const { legalName } = brands[skin];
  return (
    <footer className={styles.footer}>
      <div className={styles.footerWrap}>
        <div className={styles.footerTop}>
          <div className={styles.footerBrand}>
            <Logo skin={skin} onNight />
            <p>{brandSentences[skin]}</p>
          </div>
          {footer.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                {links.map(({ href, label }) => (
                  <li key={href}>
                    <QueryLink className={styles.footerLink} href={href}>
                      {label}
                    </QueryLink>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <div className={styles.footerEnd}>
          <p>
            © {new Date().getFullYear()} {legalName}. All rights reserved.
          </p>
          <p>{footerLine}</p>
        </div>
      </div>
    </footer>
  );
}

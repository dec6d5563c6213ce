import { DemonstrationNote } from '@/components/actions/demonstration-note';
import { DownloadButton } from '@/components/actions/download-button';
import { DemonstrationNotice, InstallerFacts } from '@/components/actions/installer-facts';
import { Band } from '@/components/ui/band';
import { buttonClass } from '@/components/ui/button';
import { Icon, ProductIcon } from '@/components/ui/icon';
import { installerFile } from '@/lib/catalog/installers';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../texts.module.scss';

/** The product API, as `services/http.ts` has it: sections load no services. */
const apiBase = process.env.NEXT_PUBLIC_PRODUCT_API_URL || '/api/v1';

/** Programs to download, each with its systems and what it needs. */
export function Downloads({ section }: { section: SectionOf<'downloads'> }) {
  return (
    <Band tight>
      <h2 className="sr">{section.title}</h2>
      <div className={styles.downloadsPrograms}>
        <DemonstrationNotice />
        {section.programs.map(({ website, name, tile, text, systems }) => (
          <article key={website} id={website} className={styles.downloadsProgram}>
            <div>
              <div className={styles.downloadsHead}>
                <ProductIcon name={tile} />
                <h3>{name}</h3>
              </div>
              <p className={styles.downloadsText}>{text}</p>
            </div>
            <ul className={styles.downloadsSystems}>
              {systems.map(({ os, label, requirement }) => (
                <li key={os}>
                  <DownloadButton
                    website={website}
                    os={os}
                    href={`${apiBase}/recovery/files/${installerFile(website, os)}`}
                    className={buttonClass({ variant: os === 'win' ? 'primary' : 'line', wide: true })}
                  >
                    <Icon name="download" />
                    <span>
                      Download <span className="sr">{name} </span>for {label}
                    </span>
                  </DownloadButton>
                  <span className="micro">{requirement}</span>
                  {/* With script the notice above says it, of all of them. */}
                  <noscript>
                    <DemonstrationNote website={website} systems={[os]} className="micro" />
                  </noscript>
                  <InstallerFacts website={website} os={os} className={styles.downloadsFacts ?? ''} />
                </li>
              ))}
            </ul>
          </article>
        ))}
      </div>
    </Band>
  );
}

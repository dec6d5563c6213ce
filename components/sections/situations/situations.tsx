import { Band, Head } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import { isBuilt } from '@/lib/content/routes';
import type { SectionOf, Situation } from '@/lib/content/sections';
import styles from '../home.module.scss';
import { More } from '../shared/actions';
import { Picture } from '../shared/picture';
import { RichText } from '../shared/rich-text';

/** Tiles headed by what a visitor would say. */
export function Situations({ section }: { section: SectionOf<'situations'> }) {
  const { title, lead, situations, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} />
      <div className={styles.situationsBento}>
        {situations.map((situation) => (
          <Tile key={situation.title} situation={situation} />
        ))}
      </div>
    </Band>
  );
}

function Tile({ situation }: { situation: Situation }) {
  const { title, text, links, picture, span, look } = situation;
  const isWindow = look === 'window';
  return (
    <article className={styles.situationsCell} data-span={span} data-skin={look === 'ferry' ? 'chatferry' : undefined}>
      <div className={styles.situationsText}>
        <h3>{title}</h3>
        <p>
          <RichText text={text} />
        </p>
        <div className={styles.situationsLinks}>
          {links
            .filter(({ href }) => isBuilt(href))
            .map((link) => (
              <More key={link.href} {...link} />
            ))}
        </div>
      </div>
      <div className={cx(styles.situationsArt, !isWindow && styles.situationsFull)}>
        <Picture
          picture={picture}
          frame={isWindow ? 'window-cut' : undefined}
          crop={isWindow && span === 7 ? '4/3' : undefined}
        />
      </div>
    </article>
  );
}

import { Band, Head } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';
import { Picture } from '../shared/picture';
import { RichText } from '../shared/rich-text';
import { Ticks } from '../shared/ticks';

/** At most three rows of picture and text, sides alternating. */
export function Features({ section }: { section: SectionOf<'features'> }) {
  const { title, lead, features, ...band } = section;
  return (
    <Band {...band}>
      {title && <Head title={title} lead={lead} />}
      {features.map(({ id, title: name, text, picture, bare, ticks }) => (
        <article key={name} id={id} className={styles.featuresFeature}>
          <div
            className={cx(
              styles.featuresArt,
              bare && styles.featuresBare,
              section.tone === 'mist' && !bare && styles.featuresOnMist,
            )}
          >
            <Picture picture={picture} frame={bare ? 'seam' : undefined} />
          </div>
          <div>
            <h3>{name}</h3>
            <p className={styles.featuresText}>
              <RichText text={text} />
            </p>
            {ticks && <Ticks items={ticks} className={styles.featuresTicks} />}
          </div>
        </article>
      ))}
    </Band>
  );
}

import { Band, Head } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import type { SectionOf } from '@/lib/content/sections';
import styles from '@/styles/islands.module.scss';
import { Picture } from '../shared/picture';
import { GalleryRow } from './gallery-row';

/** The app's screens in a row that the visitor moves; without script a plain scrolling row. */
export function Gallery({ section }: { section: SectionOf<'gallery'> }) {
  const { title, lead, name, screens, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} />
      <GalleryRow label={`Screens of ${name}`} count={screens.length}>
        {screens.map(({ picture, caption }) => (
          <figure key={caption} className={cx('swiper-slide', styles.galleryScreen)}>
            <div className={styles.galleryArt}>
              <Picture picture={picture} frame="window-cut" crop="4/5" lazy className={styles.galleryWithScript} />
              <noscript>
                <Picture picture={picture} frame="window-cut" crop="4/5" />
              </noscript>
            </div>
            <figcaption>{caption}</figcaption>
          </figure>
        ))}
      </GalleryRow>
    </Band>
  );
}

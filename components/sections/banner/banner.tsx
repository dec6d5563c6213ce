import { Wrap } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';
import { Actions } from '../shared/actions';
import { Picture } from '../shared/picture';
import { ProductName } from '../shared/product-name';
import { RichText } from '../shared/rich-text';

/** The first screen of a product page: name, problem, two buttons, and the product as it is. */
export function Banner({ section }: { section: SectionOf<'banner'> }) {
  const { product, title, lead, actions, note, picture } = section;
  return (
    <section className={styles.banner}>
      <Wrap className={styles.bannerIn}>
        <div>
          <ProductName {...product} />
          <h1>{title}</h1>
          <p className={cx('lead', styles.bannerLead)}>{lead}</p>
          <Actions actions={actions} />
          {note && (
            <p className={cx('small', styles.bannerNote)}>
              <RichText text={note} />
            </p>
          )}
        </div>
        <div className={styles.bannerArt}>
          <Picture picture={picture} frame="window" crop="4/5" />
        </div>
      </Wrap>
    </section>
  );
}

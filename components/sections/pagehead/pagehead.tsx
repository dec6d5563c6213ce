import { Wrap } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import type { SectionOf } from '@/lib/content/sections';
import { Picture } from '../shared/picture';
import { ProductName } from '../shared/product-name';
import { RichText } from '../shared/rich-text';
import styles from './pagehead.module.scss';

/** The head of a store or text page. */
export function PageHead({ section }: { section: SectionOf<'pagehead'> }) {
  const { product, title, lead, picture, note } = section;
  return (
    <section className={styles.head}>
      <Wrap className={picture && styles.split}>
        <div>
          {product && <ProductName {...product} />}
          <h1>{title}</h1>
          {lead && (
            <p className={cx('lead', styles.lead)}>
              <RichText text={lead} />
            </p>
          )}
          {note && <p className={cx('small', styles.note)}>{note}</p>}
        </div>
        {picture && (
          <div className={styles.art}>
            <Picture picture={picture} />
          </div>
        )}
      </Wrap>
    </section>
  );
}

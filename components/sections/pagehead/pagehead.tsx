import { Wrap } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import type { SectionOf } from '@/lib/content/sections';
import styles from '@/styles/site.module.scss';
import { Picture } from '../shared/picture';
import { ProductName } from '../shared/product-name';
import { RichText } from '../shared/rich-text';

/** The head of a store or text page. */
export function PageHead({ section }: { section: SectionOf<'pagehead'> }) {
  const { product, title, lead, picture, note } = section;
  return (
    <section className={styles.pageheadHead}>
      <Wrap className={picture && styles.pageheadSplit}>
        <div>
          {product && <ProductName {...product} />}
          <h1>{title}</h1>
          {lead && (
            <p className={cx('lead', styles.pageheadLead)}>
              <RichText text={lead} />
            </p>
          )}
          {note && <p className={cx('small', styles.pageheadNote)}>{note}</p>}
        </div>
        {picture && (
          <div className={styles.pageheadArt}>
            <Picture picture={picture} />
          </div>
        )}
      </Wrap>
    </section>
  );
}

import { QueryLink } from '@/components/actions/query-link';
import { Band } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import { Icon, ProductIcon } from '@/components/ui/icon';
import { isBuilt } from '@/lib/content/routes';
import type { SectionOf } from '@/lib/content/sections';
import rowStyles from '@/styles/site.module.scss';
import styles from '../lead.module.scss';
import { Picture } from '../shared/picture';
import { RichText } from '../shared/rich-text';

/** Before and after on one side, the online tools on the other. */
export function Online({ section }: { section: SectionOf<'online'> }) {
  const { title, lead, picture, rows, note, ...band } = section;
  return (
    <Band {...band} className={styles.onlineSplit}>
      <Picture picture={picture} frame="seam" />
      <div>
        <h2>{title}</h2>
        <p className={cx('lead', styles.onlineLead)}>{lead}</p>
        <div className={rowStyles.rows}>
          {rows
            .filter(({ href }) => isBuilt(href))
            .map(({ href, title: name, text, tile }) => (
              <QueryLink key={href} className={rowStyles.rowsRow} href={href}>
                <ProductIcon name={tile} />
                <span>
                  <b>{name}</b>
                  {text}
                </span>
                <Icon name="arrow-right" />
              </QueryLink>
            ))}
        </div>
        {note && (
          <p className={cx('small', styles.onlineNote)}>
            <RichText text={note} />
          </p>
        )}
      </div>
    </Band>
  );
}

import { Band } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import type { SectionOf } from '@/lib/content/sections';
import rowStyles from '@/styles/site.module.scss';
import styles from '../marketing.module.scss';
import { More } from '../shared/actions';
import { RichText } from '../shared/rich-text';

/** A heading beside rows of what is included, each with an icon. */
export function Moves({ section }: { section: SectionOf<'moves'> }) {
  const { title, lead, rows, more, ...band } = section;
  return (
    <Band {...band} className={styles.movesSplit}>
      <div>
        <h2>{title}</h2>
        {lead && <p className={cx('lead', styles.movesLead)}>{lead}</p>}
        {more && <More {...more} />}
      </div>
      <ul className={rowStyles.rows}>
        {rows.map(({ icon, title: name, text, id }) => (
          <li key={name} id={id} className={cx(rowStyles.rowsRow, rowStyles.rowsIconRow)}>
            <Icon name={icon} />
            <span>
              <b>{name}</b>
              <RichText text={text} />
            </span>
          </li>
        ))}
      </ul>
    </Band>
  );
}

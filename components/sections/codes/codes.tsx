import { Band } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';

/** Error codes that players show, and what they mean. */
export function Codes({ section }: { section: SectionOf<'codes'> }) {
  const { title, lead, codes, ...band } = section;
  return (
    <Band {...band} className={styles.codesSplit}>
      <div>
        <h2>{title}</h2>
        <p className={cx('lead', styles.codesLead)}>{lead}</p>
      </div>
      <dl className={styles.codes}>
        {codes.map(({ code, meaning }) => (
          <div key={code}>
            <dt>{code}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Band>
  );
}

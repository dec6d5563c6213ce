import { Art } from '@/components/ui/art';
import { Tray } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import { drawings } from '@/lib/content/pictures';
import type { SectionOf } from '@/lib/content/sections';
import styles from '@/styles/site.module.scss';
import { Actions } from '../shared/actions';

/** The download call to action: a field, one sentence, two buttons, the mark being put together. */
export function Cta({ section }: { section: SectionOf<'cta'> }) {
  const { id, title, lead, actions, tight, mark = 'mark' } = section;
  return (
    <section id={id} className={cx(styles.ctaOuter, tight && styles.ctaTight)}>
      <Tray texture={drawings['texture-cta']} className={styles.cta}>
        <div>
          <h2>{title}</h2>
          <p className={styles.ctaLead}>{lead}</p>
          <Actions actions={actions} on="field" className={styles.ctaButtons} />
        </div>
        <Art drawing={drawings[mark]} className={styles.ctaArt} />
      </Tray>
    </section>
  );
}

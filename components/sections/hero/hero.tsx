import { Tray, Wrap } from '@/components/ui/band';
import { cx } from '@/components/ui/cx';
import { drawings } from '@/lib/content/pictures';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../lead.module.scss';
import { AboutDownload, Actions } from '../shared/actions';
import { Picture } from '../shared/picture';

/** The first screen of a brand's home: words first, then one field with one picture. It never animates. */
export function Hero({ section }: { section: SectionOf<'hero'> }) {
  const { title, lead, actions, picture, small } = section;
  return (
    <section className={styles.hero}>
      <Wrap>
        <h1>{title}</h1>
        <div className={styles.heroRow}>
          <p className="lead">{lead}</p>
          <Actions actions={actions} says={false} className={styles.heroButtons} />
          <AboutDownload actions={actions} className="small" />
        </div>
      </Wrap>
      <Tray
        texture={small ? undefined : drawings['texture-hero']}
        className={cx(styles.heroTray, !small && styles.heroWindow)}
      >
        {small ? (
          <>
            <Picture picture={picture} className={styles.heroWide} />
            <Picture picture={small} className={styles.heroSmall} />
          </>
        ) : (
          <Picture picture={picture} frame="window-cut" crop="4/5" />
        )}
      </Tray>
    </section>
  );
}

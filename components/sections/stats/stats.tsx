import { Band, Head } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import styles from '@/styles/site.module.scss';

const ABOUT = /^~/;

/** Four figures under a heavy rule. A value that starts with `~` is read as "about". */
export function Stats({ section }: { section: SectionOf<'stats'> }) {
  const { title, visible, stats, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} hidden={!visible} near />
      <dl className={styles.stats}>
        {stats.map(({ value, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {ABOUT.test(value) && (
                <>
                  <span className="sr">about </span>
                  <span aria-hidden="true">~</span>
                </>
              )}
              {value.replace(ABOUT, '')}
            </dd>
          </div>
        ))}
      </dl>
    </Band>
  );
}

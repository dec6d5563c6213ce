import { Wrap } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';

/** Four facts in a row under the first screen. */
export function Facts({ section }: { section: SectionOf<'facts'> }) {
  return (
    <Wrap>
      <dl className={styles.facts}>
        {section.facts.map(({ value, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Wrap>
  );
}

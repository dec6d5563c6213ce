import { Band, Head } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';
import { Picture } from '../shared/picture';
import { RichText } from '../shared/rich-text';

/** The product's flow in numbered steps, each with its screen. */
export function Steps({ section }: { section: SectionOf<'steps'> }) {
  const { title, lead, steps, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} />
      <ol className={styles.steps} data-count={steps.length}>
        {steps.map((step) => (
          <li key={step.title} className={styles.stepsStep}>
            <div className={styles.stepsArt}>
              <Picture picture={step.picture} />
            </div>
            <h3>{step.title}</h3>
            <p>
              <RichText text={step.text} />
            </p>
          </li>
        ))}
      </ol>
    </Band>
  );
}

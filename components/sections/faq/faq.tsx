import { Accordion } from '@/components/ui/accordion';
import { Band } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import styles from '@/styles/site.module.scss';
import { More } from '../shared/actions';
import { questionItems } from '../shared/question-items';

/** Questions beside their heading, the first one open. */
export function Faq({ section }: { section: SectionOf<'faq'> }) {
  const { title, lead, questions, more, ...band } = section;
  return (
    <Band {...band} className={styles.faq}>
      <div className={styles.faqSide}>
        <h2>{title}</h2>
        {lead && <p className="lead">{lead}</p>}
        {more && <More {...more} />}
      </div>
      <Accordion items={questionItems(questions)} />
    </Band>
  );
}

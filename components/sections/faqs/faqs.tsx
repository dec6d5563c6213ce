import { Accordion } from '@/components/ui/accordion';
import { Band } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import { questionItems } from '../shared/question-items';
import styles from '../texts.module.scss';
import { FaqSearch } from './faq-search';

/** All questions by topic, the first one open. Without script the search is left out and everything is there to read. */
export function Faqs({ section }: { section: SectionOf<'faqs'> }) {
  return (
    <Band tight>
      <FaqSearch target="questions" />
      <div id="questions" className={styles.faqsTopics}>
        {section.groups.map(({ title, questions }, index) => (
          <section key={title} className={styles.faqsTopic} data-topic="">
            <h2>{title}</h2>
            <Accordion items={questionItems(questions)} firstOpen={index === 0} />
          </section>
        ))}
      </div>
    </Band>
  );
}

import { Accordion } from '@/components/ui/accordion';
import { Band, Head } from '@/components/ui/band';
import { Tabs } from '@/components/ui/tabs';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';
import { questionItems } from '../shared/question-items';
import { RichText } from '../shared/rich-text';

/** The two tabs of a product page: FAQs and Technical Specifications (lib/contract/README.md, 19). */
export function Questions({ section }: { section: SectionOf<'questions'> }) {
  const { title, lead, questions, specifications, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} near />
      <Tabs
        label={title}
        tabs={[
          { id: 'faqs', label: 'FAQs', panel: <Accordion items={questionItems(questions)} /> },
          {
            id: 'specifications',
            label: 'Technical Specifications',
            panel: (
              <dl className={styles.questionsSpecs}>
                {specifications.map(({ name, value }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      <RichText text={value} />
                    </dd>
                  </div>
                ))}
              </dl>
            ),
          },
        ]}
      />
    </Band>
  );
}

import { ContactForm } from '@/components/actions/contact-form';
import { Band } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import { RichText } from '../shared/rich-text';
import styles from '../texts.module.scss';

/** The form, with advice beside it. */
export function Contact({ section }: { section: SectionOf<'contact'> }) {
  return (
    <Band tight className={styles.contactSplit}>
      <ContactForm title={section.title} />
      <div className={styles.contactAsides}>
        {section.asides.map(({ title, text }) => (
          <section key={title}>
            <h3>{title}</h3>
            <p>
              <RichText text={text} />
            </p>
          </section>
        ))}
      </div>
    </Band>
  );
}

import { Band } from '@/components/ui/band';
import { headingId } from '@/lib/content/heading-id';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../texts.module.scss';
import { ConsentControl } from './consent-control';

/** The control that gives and takes back the agreement to what is not needed for the service. */
export function Consent({ section }: { section: SectionOf<'consent'> }) {
  return (
    <Band tight>
      <div className={styles.consentBox} id={headingId(section.title)}>
        <h2>{section.title}</h2>
        <ConsentControl />
      </div>
    </Band>
  );
}

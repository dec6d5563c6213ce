import { Band, Head } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import styles from '@/styles/site.module.scss';
import { RichText } from '../shared/rich-text';

/** Three things that hold for every order. */
export function Promises({ section }: { section: SectionOf<'promises'> }) {
  const { title, visible, promises, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} hidden={!visible} near />
      <div className={styles.promises}>
        {promises.map(({ title: name, text }) => (
          <article key={name}>
            <h3>{name}</h3>
            <p>
              <RichText text={text} />
            </p>
          </article>
        ))}
      </div>
    </Band>
  );
}

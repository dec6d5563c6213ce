import { Band, Head } from '@/components/ui/band';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../home.module.scss';
import { More } from '../shared/actions';
import { Ticks } from '../shared/ticks';

/** What is free and what is paid, side by side. */
export function Ledger({ section }: { section: SectionOf<'ledger'> }) {
  const { title, lead, sides, more, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} />
      <div className={styles.ledger}>
        {sides.map(({ title: name, price, items }) => (
          <div key={name}>
            <h3>
              {name} <small>{price}</small>
            </h3>
            <Ticks items={items} className={styles.ledgerItems} />
          </div>
        ))}
      </div>
      {more && (
        <p className={styles.ledgerMore}>
          <More {...more} />
        </p>
      )}
    </Band>
  );
}

import { Band, Head } from '@/components/ui/band';
import { buttonClass, moreClass } from '@/components/ui/button';
import { Icon, ProductIcon } from '@/components/ui/icon';
import type { SectionOf } from '@/lib/content/sections';
import styles from '@/styles/site.module.scss';
import { ActionButton } from '../shared/actions';
import { RichText } from '../shared/rich-text';

/** Products, tools or places to go on, each with its own actions. */
export function Cards({ section }: { section: SectionOf<'cards'> }) {
  const { title, lead, columns = 2, cards, ...band } = section;
  return (
    <Band {...band}>
      <Head title={title} lead={lead} near={!lead} />
      <div className={styles.cards} data-columns={columns}>
        {cards.map(({ title: name, text, tile, icon, actions }) => (
          <article key={name} className={styles.cardsCard}>
            <div className={styles.cardsHead}>
              {tile && <ProductIcon name={tile} />}
              {icon && <Icon name={icon} />}
              <h3>{name}</h3>
            </div>
            <p>
              <RichText text={text} />
            </p>
            <div className={styles.cardsActions}>
              {actions.map((action, index) => (
                <ActionButton
                  key={action.label}
                  action={action}
                  className={index === 0 ? buttonClass({ size: 's' }) : moreClass}
                />
              ))}
            </div>
          </article>
        ))}
      </div>
    </Band>
  );
}

import { BuyButton } from '@/components/actions/buy-button';
import { LivePrice } from '@/components/actions/live-price';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { dollars, type Plan, showOldPrice } from '@/lib/catalog/plans';
import { licenceCovers, period, renewal } from '@/lib/content/plan-words';
import styles from '../marketing.module.scss';
import { Ticks } from '../shared/ticks';

/** One plan. What renews is part of the card, never fine print; the featured one carries a fact, not praise. */
export function PlanCard({ plan, feature }: { plan: Plan; feature: string }) {
  const once = plan.type === 'perpetual';
  return (
    <article className={cx(styles.plansPlan, once && styles.plansFeatured)}>
      <h3 className={styles.plansName}>
        {plan.name} {once && <Badge tone="found">Pay once</Badge>}
      </h3>
      <p className={styles.plansPrice} data-price="">
        <b>
          <LivePrice productsId={plan.productsId} />
        </b>{' '}
        {period(plan.type)}
        {showOldPrice && (
          <s>
            <span className="sr">Old price </span>
            {dollars(plan.oldCents)}
          </s>
        )}
      </p>
      <BuyButton
        productsId={plan.productsId}
        className={buttonClass({ variant: once ? 'primary' : 'line', wide: true })}
      >
        Buy {plan.name}
      </BuyButton>
      <Ticks
        className={styles.plansFacts}
        items={[feature, licenceCovers(plan), { text: renewal(plan.type), icon: once ? 'check' : 'repeat' }]}
      />
    </article>
  );
}

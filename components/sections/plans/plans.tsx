import { QueryLink } from '@/components/actions/query-link';
import { Band, Head } from '@/components/ui/band';
import { Tabs } from '@/components/ui/tabs';
import { plansFor } from '@/lib/catalog/plans';
import type { Platform } from '@/lib/catalog/types';
import { taxWords, vendor, withdrawalDays } from '@/lib/catalog/vendor';
import type { SectionOf } from '@/lib/content/sections';
import styles from '../marketing.module.scss';
import { PaymentMarks } from './payment-marks';
import { PlanCard } from './plan-card';

/** Windows and Mac tabs with plan cards; the query `ufrom` chooses the tab (lib/contract/README.md, 19), else the visitor's system. */
export function Plans({ section }: { section: SectionOf<'plans'> }) {
  const { website, feature, ...band } = section;
  const cards = (os: Platform) => (
    <div className={styles.plans}>
      {plansFor(website, os).map((plan) => (
        <PlanCard key={plan.productsId} plan={plan} feature={feature} />
      ))}
    </div>
  );
  return (
    <Band tight {...band}>
      <Head title="Plans" hidden />
      <Tabs
        label="Your computer"
        byPlatform
        tabs={[
          { id: 'win', label: 'Windows', icon: 'monitor', panel: cards('win') },
          { id: 'mac', label: 'Mac', icon: 'laptop', panel: cards('mac') },
        ]}
      />
      <PaymentMarks />
      <p className={`micro ${styles.plansNote}`}>
        Prices in US dollars, {taxWords}. Sold by {vendor.legalName}. You can withdraw within {withdrawalDays} days:{' '}
        <QueryLink href="/terms-conditions#money-back-and-withdrawal">money back and withdrawal</QueryLink>.
      </p>
      <noscript>
        <p>
          Buying needs JavaScript, since the payment form opens on this page. Everything else here reads without it.
        </p>
      </noscript>
    </Band>
  );
}

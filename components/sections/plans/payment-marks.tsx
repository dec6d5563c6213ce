import { Icon } from '@/components/ui/icon';
import type { IconName } from '@/components/ui/icon-names';
import { type PaymentMethod, paymentMethods } from '@/lib/content/payment-methods';
import styles from '../marketing.module.scss';

/** Payment methods: a mark where there is a free one, else a neutral icon with words; each has its name in text. */
export function PaymentMarks() {
  return (
    <div className={styles.plansPay}>
      <p>Pay with</p>
      <ul>
        {paymentMethods.map((method) => (
          <li key={method.name}>
            <Mark method={method} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Mark({ method }: { method: PaymentMethod }) {
  if ('icon' in method) {
    const icon: IconName = method.icon;
    return (
      <>
        <Icon name={icon} className={styles.plansIcon} />
        {method.name}
      </>
    );
  }
  return (
    <svg className={styles.plansMark} viewBox="0 0 24 24" width="32" height="24" role="img" aria-label={method.name}>
      <use href={`/art/payment.svg#${method.mark}`} />
    </svg>
  );
}

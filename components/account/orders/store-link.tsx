import { QueryLink } from '@/components/actions/query-link';
import { buttonClass } from '@/components/ui/button';
import { productByName } from '@/lib/catalog/plans';

type StoreLinkProps = { order: { productName: string }; variant?: 'primary' | 'line' };

/** The way back from an order: the store in which its product is sold, at the system it was for. */
export function StoreLink({ order, variant = 'primary' }: StoreLinkProps) {
  const { line, os } = productByName(order.productName);
  return (
    <QueryLink className={buttonClass({ variant })} href={`${line.store}?ufrom=${os}`}>
      Back to the store
    </QueryLink>
  );
}

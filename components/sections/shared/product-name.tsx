import { ProductIcon } from '@/components/ui/icon';
import type { ProductTile } from '@/lib/content/pictures';
import styles from '@/styles/site.module.scss';

/** The product's tile and name above a page's heading. */
export function ProductName({ name, tile }: { name: string; tile: ProductTile }) {
  return (
    <p className={styles.productName}>
      <ProductIcon name={tile} /> {name}
    </p>
  );
}

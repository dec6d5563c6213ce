import styles from '@/styles/islands.module.scss';
import { cx } from './cx';
import type { IconName, ProductIconName } from './icon-names';

const SPRITE = '/art/icons.svg';

/** A line icon from the sprite; decorative, so the words beside it carry the meaning. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={cx(styles.icon, className)} width="20" height="20" aria-hidden="true" focusable="false">
      <use href={`${SPRITE}#${name}`} />
    </svg>
  );
}

/** A product's 40 px tile. Its colours are fixed in both themes. */
export function ProductIcon({ name, className }: { name: ProductIconName; className?: string }) {
  return (
    <svg className={className} viewBox="0 0 40 40" width="40" height="40" aria-hidden="true" focusable="false">
      <use href={`${SPRITE}#${name}`} />
    </svg>
  );
}

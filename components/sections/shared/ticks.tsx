import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import type { IconName } from '@/components/ui/icon-names';
import styles from '@/styles/site.module.scss';
import { RichText } from './rich-text';

export type Tick = { text: string; icon?: IconName };

/** A list of points with a tick before each. */
export function Ticks({ items, className }: { items: readonly (string | Tick)[]; className?: string }) {
  return (
    <ul className={cx(styles.ticks, className)}>
      {items.map((item) => {
        const { text, icon = 'check' } = typeof item === 'string' ? { text: item } : item;
        return (
          <li key={text}>
            <Icon name={icon} />
            <span>
              <RichText text={text} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

import { QueryLink } from '@/components/actions/query-link';
import { SessionLink } from '@/components/actions/session-link';
import { buttonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import type { Skin } from '@/lib/catalog/types';
import { navigation } from '@/lib/content/navigation';
import styles from './header.module.scss';
import { Logo } from './logo';
import { NavMenus } from './nav-menus';
import menus from './nav-menus.module.scss';

/** The bar of a skin: mark, menus, who is signed in, one primary button; under 1088 px the menus move to a drawer. */
export function Header({ skin }: { skin: Skin }) {
  const { bar, action } = navigation(skin);
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Logo skin={skin} />
        <NavMenus bar={bar}>
          <QueryLink className={buttonClass({ wide: true })} href={action.href}>
            <Icon name="download" /> {action.label}
          </QueryLink>
          <SessionLink className={buttonClass({ variant: 'line', wide: true })} />
        </NavMenus>
        <div className={styles.side}>
          <span className={styles.signIn}>
            <SessionLink className={menus.link} />
          </span>
          <QueryLink className={cx(buttonClass({ size: 's' }), styles.action)} href={action.href}>
            {action.label}
          </QueryLink>
        </div>
      </div>
    </header>
  );
}

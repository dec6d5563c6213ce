import { QueryLink } from '@/components/actions/query-link';
import { SessionLink } from '@/components/actions/session-link';
import { buttonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import type { Skin } from '@/lib/catalog/types';
import { navigation } from '@/lib/content/navigation';
import islands from '@/styles/islands.module.scss';
import styles from '@/styles/site.module.scss';
import { Logo } from './logo';
import { NavMenus } from './nav-menus';

/** The bar of a skin: mark, menus, who is signed in, one primary button; under 1088 px the menus move to a drawer. */
export function Header({ skin }: { skin: Skin }) {
  const { bar, action } = navigation(skin);
  return (
    <header className={styles.header}>
      <div className={styles.headerBar}>
        <Logo skin={skin} />
        <NavMenus bar={bar}>
          <QueryLink className={buttonClass({ wide: true })} href={action.href}>
            <Icon name="download" /> {action.label}
          </QueryLink>
          <SessionLink className={buttonClass({ variant: 'line', wide: true })} />
        </NavMenus>
        <div className={styles.headerSide}>
          <span className={styles.headerSignIn}>
            <SessionLink className={islands.navLink} />
          </span>
          <QueryLink className={cx(buttonClass({ size: 's' }), styles.headerAction)} href={action.href}>
            {action.label}
          </QueryLink>
        </div>
      </div>
    </header>
  );
}

'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { QueryLink } from '@/components/actions/query-link';
import { iconButtonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon, ProductIcon } from '@/components/ui/icon';
import type { NavEntry, NavLink } from '@/lib/content/navigation';
import styles from '@/styles/islands.module.scss';
import { useDrawer } from './use-drawer';

/** The menus: one open at a time; Escape, a click elsewhere, focus leaving and a new page close them. */
export function NavMenus({ bar, children }: { bar: readonly NavEntry[]; children: ReactNode }) {
  const pathname = usePathname().replace(/(.)\/$/, '$1');
  const nav = useRef<HTMLElement>(null);
  const [open, setOpen] = useState<string | null>(null);
  const drawer = useDrawer(nav);
  const menus = useId();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes whatever the last one left open
  useEffect(() => {
    setOpen(null);
    drawer.close();
  }, [pathname]);

  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      nav.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
      setOpen(null);
    };
    const onPointer = ({ target }: PointerEvent) => {
      if (target instanceof Node && !nav.current?.contains(target)) setOpen(null);
    };
    const over = new AbortController();
    document.addEventListener('keydown', onKey, over);
    document.addEventListener('pointerdown', onPointer, over);
    return () => over.abort();
  }, [open]);

  // Opening the drawer changes nothing of them.
  const entries = useMemo(
    () =>
      bar.map((entry) =>
        'href' in entry ? (
          <QueryLink
            key={entry.label}
            className={styles.navLink}
            href={entry.href}
            aria-current={entry.href === pathname ? 'page' : undefined}
          >
            {entry.label}
          </QueryLink>
        ) : (
          <Menu
            key={entry.label}
            label={entry.label}
            links={entry.links}
            pathname={pathname}
            open={open === entry.label}
            onToggle={(next) => setOpen(next ? entry.label : null)}
          />
        ),
      ),
    [bar, open, pathname],
  );

  return (
    <>
      <button
        ref={drawer.button}
        type="button"
        className={cx(iconButtonClass, styles.navBurger)}
        aria-label={drawer.isOpen ? 'Close menu' : 'Open menu'}
        aria-expanded={drawer.isOpen}
        aria-controls={menus}
        onClick={drawer.toggle}
      >
        <Icon name="menu" />
        <Icon name="x" />
      </button>
      <nav ref={nav} id={menus} className={styles.nav} aria-label="Main" data-open={drawer.isOpen}>
        {entries}
        <div className={styles.navEnd}>{children}</div>
      </nav>
    </>
  );
}

type MenuProps = {
  label: string;
  links: readonly NavLink[];
  pathname: string;
  open: boolean;
  onToggle: (open: boolean) => void;
};

function Menu({ label, links, pathname, open, onToggle }: MenuProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where focus goes
    <div
      className={styles.navGroup}
      data-open={open}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (open && relatedTarget && !currentTarget.contains(relatedTarget)) onToggle(false);
      }}
    >
      <button
        type="button"
        className={styles.navLink}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onToggle(!open)}
      >
        {label} <Icon name="chevron-down" />
      </button>
      <div className={styles.navPanel} id={id}>
        <div className={styles.navItems}>
          {links.map(({ href, label: name, line, icon }) => (
            <QueryLink
              key={href}
              className={cx(styles.navItem, !icon && styles.navPlain)}
              href={href}
              aria-current={href === pathname ? 'page' : undefined}
            >
              {icon && <ProductIcon name={icon} />}
              <b>{name}</b>
              {line && <span>{line}</span>}
            </QueryLink>
          ))}
        </div>
      </div>
    </div>
  );
}

'use client';

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from '@/styles/islands.module.scss';
import { Icon } from './icon';
import type { IconName } from './icon-names';

export type Tab = { id: string; label: string; icon?: IconName; panel: ReactNode };

type TabsProps = {
  /** Names the list for assistive technology. */
  label: string;
  tabs: readonly Tab[];
  /** A query parameter whose value, when it is a tab's id, selects that tab after the page has loaded. */
  query?: string;
};

/** A list of tabs with arrow keys, Home and End; without script each panel stands under its heading. */
export function Tabs({ label, tabs, query }: TabsProps) {
  const base = useId();
  const [active, setActive] = useState(tabs[0]?.id);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const asked = query && new URLSearchParams(window.location.search).get(query);
    if (asked && tabs.some((tab) => tab.id === asked)) setActive(asked);
  }, [query, tabs]);

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.id === active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    setActive(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  }

  return (
    <div>
      <div ref={list} className={styles.tabsBar} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: text, icon }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}${id}-tab`}
            data-tab={id}
            className={styles.tabsTab}
            aria-selected={id === active}
            aria-controls={`${base}${id}`}
            tabIndex={id === active ? 0 : -1}
            onClick={() => setActive(id)}
          >
            {icon && <Icon name={icon} />}
            {text}
          </button>
        ))}
      </div>
      {tabs.map(({ id, label: text, panel }) => (
        <div
          key={id}
          id={`${base}${id}`}
          role="tabpanel"
          aria-labelledby={`${base}${id}-tab`}
          className={styles.tabsPanel}
          data-active={id === active}
        >
          <p className={styles.tabsHeading}>
            <strong>{text}</strong>
          </p>
          {panel}
        </div>
      ))}
    </div>
  );
}

'use client';

import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from '@/styles/islands.module.scss';
import { Icon } from './icon';
import type { IconName } from './icon-names';

export type Tab = { id: string; label: string; icon?: IconName; panel: ReactNode };

type TabsProps = {
  /** Names the list for assistive technology. */
  label: string;
  tabs: readonly Tab[];
  /**
   * The tabs are the systems `win` and `mac`: the one of the address (query `ufrom`) or of the device comes first and
   * is open. The inline script knows it before the first paint, and the style sheet shows it until this is alive.
   */
  byPlatform?: boolean;
};

/** A list of tabs with arrow keys, Home and End; without script each panel stands under its heading. */
export function Tabs({ label, tabs: given, byPlatform = false }: TabsProps) {
  const base = useId();
  const [active, setActive] = useState(given[0]?.id);
  const [first, setFirst] = useState<string | undefined>();
  const list = useRef<HTMLDivElement>(null);
  const tabs = first ? [...given].sort((a, b) => Number(b.id === first) - Number(a.id === first)) : given;

  useLayoutEffect(() => {
    if (!byPlatform) return;
    const asked = new URLSearchParams(window.location.search).get('ufrom');
    const meant = asked === 'win' || asked === 'mac' ? asked : document.documentElement.dataset.platform;
    setFirst(meant ?? 'win');
    setActive(meant ?? 'win');
  }, [byPlatform]);

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
    <div className={styles.tabs} data-by-platform={byPlatform && !first ? '' : undefined}>
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
          data-panel={id}
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

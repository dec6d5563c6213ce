'use client';

import { Form, type RefSelectProps, Select } from 'antd';
import { useId, useMemo, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { countries } from '@/lib/catalog/countries';
import { FieldItem } from './fields';
import styles from './kit.module.scss';

/** Brings the option that keys have reached, or that is chosen already, into the part of the list that is seen. */
function follow(select: RefSelectProps | null): void {
  requestAnimationFrame(() => {
    const reached = select?.nativeElement.querySelector('input')?.getAttribute('aria-activedescendant');
    if (reached) document.getElementById(reached)?.scrollIntoView({ block: 'nearest' });
  });
}

/** Taller than any list: what scrolls is the listbox itself, as assistive technology expects, and not a box around it. */
const NEVER_SCROLLS = 100_000;

/** A country of the list, found by the letters of its name; it may be left out. */
export function CountryItem({ name, label }: { name: string; label: string }) {
  const options = useMemo(
    () => [
      { value: '', label: 'Not given' },
      ...countries().map(({ code, name: words }) => ({ value: code, label: words })),
    ],
    [],
  );
  const chosen: string = Form.useWatch(name) ?? '';
  const chosenId = useId();
  const select = useRef<RefSelectProps>(null);
  const followReached = () => follow(select.current);
  return (
    <>
      <FieldItem name={name} label={label}>
        <Select
          options={options}
          showSearch={{ optionFilterProp: 'label' }}
          // Every country is in the page, so that assistive technology meets a whole list.
          virtual={false}
          listHeight={NEVER_SCROLLS}
          ref={select}
          onActive={followReached}
          onOpenChange={followReached}
          // Beside the field, so that it belongs to the same part of the page and takes the colours of the skin.
          getPopupContainer={(field) => field.parentElement ?? field}
          suffixIcon={<Icon name="chevron-down" />}
          menuItemSelectedIcon={<Icon name="check" />}
          notFoundContent="No country has these letters."
          // The input holds what is searched for, so what is chosen is told beside it.
          aria-describedby={chosenId}
          classNames={{ popup: { root: styles.options ?? '' } }}
        />
      </FieldItem>
      <span id={chosenId} hidden>
        {options.find(({ value }) => value === chosen)?.label ?? chosen}
      </span>
    </>
  );
}

'use client';

import { Form, Select } from 'antd';
import { useId, useMemo } from 'react';
import { Icon } from '@/components/ui/icon';
import { countries } from '@/lib/catalog/countries';
import { FieldItem } from './fields';
import styles from './kit.module.scss';

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
  return (
    <>
      <FieldItem name={name} label={label}>
        <Select
          options={options}
          showSearch={{ optionFilterProp: 'label' }}
          // Every country is in the page, so that assistive technology meets a whole list.
          virtual={false}
          listHeight={320}
          suffixIcon={<Icon name="chevron-down" />}
          menuItemSelectedIcon={<Icon name="check" />}
          notFoundContent="No country has these letters."
          // The input holds what is searched for, so what is chosen is told beside it.
          aria-describedby={chosenId}
          classNames={{ popup: { root: styles.options ?? '' } }}
        />
      </FieldItem>
      <span id={chosenId} hidden>
        {options.find(({ value }) => value === chosen)?.label}
      </span>
    </>
  );
}

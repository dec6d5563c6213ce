'use client';

import { Select } from 'antd';
import { useMemo } from 'react';
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
  return (
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
        classNames={{ popup: { root: styles.options ?? '' } }}
      />
    </FieldItem>
  );
}

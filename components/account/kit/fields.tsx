'use client';

import { Form, Input, type InputProps } from 'antd';
import { type ReactNode, use, useState } from 'react';
import { FieldError } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { FormChecked } from './form-checked';
import styles from './kit.module.scss';

/** What is wrong with a value, or undefined; `others` holds the form's other fields. */
export type Check = (value: string, others: Record<string, string | undefined>) => string | undefined;

type FieldItemProps = {
  name: string;
  label: string;
  hint?: string;
  check?: Check | undefined;
  /** The field that the check compares with. */
  comparedWith?: string;
  children: ReactNode;
};

/** A labelled field with its hint and its error. */
export function FieldItem({ name, label, hint, check, comparedWith, children }: FieldItemProps) {
  // A field that nobody has been to yet is not called wrong because another one is filled.
  const isChecked = use(FormChecked);
  return (
    <Form.Item
      name={name}
      label={label}
      extra={hint}
      colon={false}
      dependencies={comparedWith && isChecked ? [comparedWith] : []}
      rules={[
        ({ getFieldsValue }) => ({
          validator: (_, value?: string) => {
            const problem = check?.(value ?? '', getFieldsValue());
            return problem ? Promise.reject(<FieldError>{problem}</FieldError>) : Promise.resolve();
          },
        }),
      ]}
    >
      {children}
    </Form.Item>
  );
}

type TextItemProps = Omit<FieldItemProps, 'children'> & Omit<InputProps, 'name'>;

/** A line of text. */
export function TextItem({ name, label, hint, check, comparedWith, ...input }: TextItemProps) {
  return (
    <FieldItem name={name} label={label} hint={hint} check={check} comparedWith={comparedWith}>
      <Input {...input} />
    </FieldItem>
  );
}

/** A password, with a button that shows what is typed. */
export function PasswordItem({ name, label, hint, check, comparedWith, ...input }: TextItemProps) {
  return (
    <FieldItem name={name} label={label} hint={hint} check={check} comparedWith={comparedWith}>
      <PasswordInput {...input} />
    </FieldItem>
  );
}

/** The input alone. Its button names the field by `aria-controls`, not in words: whoever looks for a label finds the field only. */
function PasswordInput(input: InputProps) {
  const [shown, setShown] = useState(false);
  return (
    <Input
      {...input}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className={styles.eye}
          aria-label="Show what you typed"
          aria-controls={input.id}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </button>
      }
    />
  );
}

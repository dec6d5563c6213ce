'use client';

import { Form } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useSubmit } from '@/components/actions/use-submit';
import { cx } from '@/components/ui/cx';
import { Notice } from '@/components/ui/notice';
import type { Result } from '@/lib/contract/result';
import type { ApiError } from '@/services/api-error';
import { ActionButton } from './action-button';
import { FormChecked } from './form-checked';
import styles from './kit.module.scss';

type SubmitFormProps<Values extends object, T> = {
  /** Begins the ids of the fields, so it is unique on the page. */
  name: string;
  initialValues: Values;
  send: (values: Values) => Promise<Result<T, ApiError>>;
  onDone: (value: T, values: Values) => void;
  submitLabel: string;
  /** Stands above the fields: a heading, what was sent. */
  head?: ReactNode;
  /** Stands below the button. */
  foot?: ReactNode;
  children: ReactNode;
  /** Makes the button as wide as the fields. */
  fill?: boolean;
  className?: string | undefined;
};

/**
 * A form of account or sign-in: checked when it is sent, the first field with an error gets the focus, one call at a time, and what the
 * server refuses is said right above the button, which is on the screen where a phone may not show the first field. What was typed stays.
 */
export function SubmitForm<Values extends object, T>(props: SubmitFormProps<Values, T>) {
  const { name, initialValues, send, onDone, submitLabel, head, foot, children, fill, className } = props;
  const entered = useRef(initialValues);
  const { busy, error, submit, forget } = useSubmit(
    () => send(entered.current),
    (value) => onDone(value, entered.current),
  );
  // Nobody is told of errors while still typing; once told, they see each one go.
  const [isChecked, setChecked] = useState(false);
  return (
    <Form<Values>
      name={name}
      layout="vertical"
      className={cx(styles.form, fill && styles.fill, className)}
      initialValues={initialValues}
      requiredMark={false}
      validateTrigger={isChecked ? 'onChange' : 'onSubmit'}
      noValidate
      method="post"
      onFinish={(values) => {
        entered.current = values;
        void submit();
      }}
      onFinishFailed={({ errorFields: [first] }) => {
        setChecked(true);
        // What the server refused was what stood there before.
        forget();
        if (first) document.getElementById([name, ...first.name].join('_'))?.focus();
      }}
    >
      {head}
      <FormChecked value={isChecked}>{children}</FormChecked>
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <ActionButton type="submit" busy={busy}>
        {submitLabel}
      </ActionButton>
      {foot}
    </Form>
  );
}

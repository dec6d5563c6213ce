'use client';

import { type InputHTMLAttributes, useState } from 'react';
import { Field, type FieldText } from './field';
import styles from './field.module.scss';
import { Icon } from './icon';

type PasswordFieldProps = FieldText & Omit<InputHTMLAttributes<HTMLInputElement>, 'type'>;

/** A password field with a button that shows what is typed. */
export function PasswordField({ label, hint, error, id, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} id={id}>
      {(aria, control) => (
        <div className={styles.password}>
          <input {...rest} {...aria} type={shown ? 'text' : 'password'} className={control} />
          <button
            type="button"
            aria-label={`Show ${label.toLowerCase()}`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  );
}

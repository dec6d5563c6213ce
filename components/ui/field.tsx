import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { cx } from './cx';
import styles from './field.module.scss';
import { Icon } from './icon';

/** Class names for forms that other screens build: the grid, and two fields beside each other. */
export const formClass: string = styles.form ?? '';
export const twoColumnsClass: string = styles.two ?? '';

/** What every field has: its label above, and below either the error or the hint. */
export type FieldText = { label: string; hint?: string; error?: string };

export type ControlAria = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };

type FieldProps = FieldText & { id?: string; children: (control: ControlAria, className: string) => ReactNode };

/** Label, control and the row below it, wired for assistive technology. */
function Field({ label, hint, error, id: given, children }: FieldProps) {
  const own = useId();
  const id = given ?? own;
  const below = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': below }, styles.control ?? '')}
      {error ? (
        <FieldError id={`${id}-error`}>{error}</FieldError>
      ) : (
        hint && (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** The error row: an icon and one sentence that says what to do. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id}>
      <Icon name="triangle-alert" />
      {children}
    </p>
  );
}

export function TextField({
  label,
  hint,
  error,
  id,
  className,
  ...rest
}: FieldText & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} error={error} id={id}>
      {(aria, control) => <input {...rest} {...aria} className={cx(control, className)} />}
    </Field>
  );
}

export function TextArea({ label, hint, error, id, ...rest }: FieldText & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} error={error} id={id}>
      {(aria, control) => <textarea {...rest} {...aria} className={cx(control, styles.area)} />}
    </Field>
  );
}

export function SelectField({ label, hint, error, id, ...rest }: FieldText & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field label={label} hint={hint} error={error} id={id}>
      {(aria, control) => <select {...rest} {...aria} className={control} />}
    </Field>
  );
}

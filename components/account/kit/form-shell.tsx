import { cx } from '@/components/ui/cx';
import { Waiting } from '@/components/ui/state';
import styles from './form-shell.module.scss';

/** What a form will look like: it stands in its place, at its size, until the form is there. */
export type FormOutline = {
  fields: readonly { label: string; hint?: string; rule?: string }[];
  submitLabel: string;
  wide?: boolean;
};

/** The outline of a form that is on its way. */
export function FormShell({ fields, submitLabel, wide = false }: FormOutline) {
  return (
    <div className={styles.place}>
      <Waiting className="sr">The form is loading.</Waiting>
      <div className={cx(styles.outline, wide && styles.wide)} aria-hidden="true">
        {fields.map(({ label, hint, rule }) => (
          <div key={label} className={styles.field}>
            <span className={styles.label}>{label}</span>
            <span className={styles.control} />
            {hint ? <span className={styles.hint}>{hint}</span> : null}
            {rule ? <span className={styles.rule}>{rule}</span> : null}
          </div>
        ))}
        <span className={cx(styles.submit, wide && styles.start)}>{submitLabel}</span>
      </div>
    </div>
  );
}

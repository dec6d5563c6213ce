'use client';

import { Form } from 'antd';
import { limits } from '@/lib/catalog/limits';
import { hasAllowedLength, newPasswordError, passwordError, retypeError } from '@/lib/contract/password-rules';
import { FieldRule } from './field-rule';
import { PasswordItem } from './fields';
import { PasswordAdvice } from './password-advice';

/** What the fields below add to a form's values. */
export type NewPasswordValues = { password: string; retyped: string };

/** Two empty fields. */
export const noPassword: NewPasswordValues = { password: '', retyped: '' };

type NewPasswordItemsProps = {
  /** "Password" where an account is made, "New password" where one is replaced. */
  label?: string;
  retypeLabel?: string;
};

/** A new password twice, with its rule in sight before the first key. */
export function NewPasswordItems({
  label = 'New password',
  retypeLabel = 'Retype new password',
}: NewPasswordItemsProps) {
  const password: string = Form.useWatch('password') ?? '';
  return (
    <>
      <div>
        <PasswordItem name="password" label={label} autoComplete="new-password" check={newPasswordError} />
        <FieldRule met={hasAllowedLength(password)}>
          {limits.passwordMin} to {limits.passwordMax} characters
        </FieldRule>
        <PasswordAdvice password={password} />
      </div>
      <PasswordItem
        name="retyped"
        label={retypeLabel}
        autoComplete="new-password"
        comparedWith="password"
        check={(retyped, others) => retypeError(others.password ?? '', retyped)}
      />
    </>
  );
}

/** The password that holds now. */
export function CurrentPasswordItem({
  label = 'Current password',
  name = 'current',
}: {
  label?: string;
  name?: string;
}) {
  return <PasswordItem name={name} label={label} autoComplete="current-password" check={passwordError} />;
}

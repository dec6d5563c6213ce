'use client';

import { FieldRule } from '@/components/ui/field';
import { PasswordField } from '@/components/ui/password-field';
import { limits } from '@/lib/catalog/limits';
import { hasAllowedLength } from '@/lib/utils/password-rules';

type NewPasswordProps = {
  /** "Password" where an account is made, "New password" where one is replaced. */
  label?: string;
  retypeLabel?: string;
  password: string;
  retyped: string;
  errors: { password?: string | undefined; retyped?: string | undefined };
  onPassword: (value: string) => void;
  onRetyped: (value: string) => void;
};

/** A new password twice, with its rule in sight before the first key. */
export function NewPassword({
  label = 'New password',
  retypeLabel = 'Retype new password',
  password,
  retyped,
  errors,
  onPassword,
  onRetyped,
}: NewPasswordProps) {
  return (
    <>
      <div>
        <PasswordField
          label={label}
          autoComplete="new-password"
          value={password}
          error={errors.password ?? ''}
          onChange={(event) => onPassword(event.target.value)}
        />
        <FieldRule met={hasAllowedLength(password)}>
          {limits.passwordMin} to {limits.passwordMax} characters
        </FieldRule>
      </div>
      <PasswordField
        label={retypeLabel}
        autoComplete="new-password"
        value={retyped}
        error={errors.retyped ?? ''}
        onChange={(event) => onRetyped(event.target.value)}
      />
    </>
  );
}

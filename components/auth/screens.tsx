'use client';

import type { FormOutline } from '@/components/account/kit/form-shell';
import { LateForm } from '@/components/account/kit/late-form';
import { limits } from '@/lib/catalog/limits';

const rule = `${limits.passwordMin} to ${limits.passwordMax} characters`;

const outlines = {
  signIn: { fields: [{ label: 'E-mail address' }, { label: 'Password' }], submitLabel: 'Sign in' },
  register: {
    fields: [{ label: 'E-mail address' }, { label: 'Password', rule }, { label: 'Retype password' }],
    submitLabel: 'Create account',
  },
  reset: {
    fields: [{ label: 'E-mail address', hint: 'The address of your account. The code goes there.' }],
    submitLabel: 'Send code',
  },
} satisfies Record<string, FormOutline>;

const load = {
  signIn: async () => (await import('./login-form')).LoginForm,
  register: async () => (await import('./register-form')).RegisterForm,
  reset: async () => (await import('./reset-form')).ResetForm,
};

/** Sign-in. */
export function SignInScreen() {
  return <LateForm load={load.signIn} outline={outlines.signIn} />;
}

/** A new account. */
export function RegisterScreen() {
  return <LateForm load={load.register} outline={outlines.register} />;
}

/** A new password by a mailed code. */
export function ResetScreen() {
  return <LateForm load={load.reset} outline={outlines.reset} />;
}

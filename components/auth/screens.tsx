'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { type FormOutline, FormShell } from '@/components/account/kit/form-shell';
import { LateForm } from '@/components/account/kit/late-form';
import { limits } from '@/lib/catalog/limits';
import { programAddress } from '@/lib/utils/going';
import { useAppState } from '@/store/app-state';
import styles from './auth.module.scss';
import { ElsewhereWords, LeadElsewhere, type Wish } from './elsewhere';
import { goOnTo } from './return-to';

const rule = `${limits.passwordMin} to ${limits.passwordMax} characters`;

type Form = { wish: Wish; outline: FormOutline; load: () => Promise<ComponentType> };

const forms = {
  signIn: {
    wish: 'sign-in',
    outline: { fields: [{ label: 'E-mail address' }, { label: 'Password' }], submitLabel: 'Sign in' },
    load: async () => (await import('./login-form')).LoginForm,
  },
  register: {
    wish: 'register',
    outline: {
      fields: [{ label: 'E-mail address' }, { label: 'Password', rule }, { label: 'Retype password' }],
      submitLabel: 'Create account',
    },
    load: async () => (await import('./register-form')).RegisterForm,
  },
  reset: {
    wish: 'reset',
    outline: {
      fields: [{ label: 'E-mail address', hint: 'The address of your account. The code goes there.' }],
      submitLabel: 'Send code',
    },
    load: async () => (await import('./reset-form')).ResetForm,
  },
} satisfies Record<string, Form>;

/** `place` says where people sign in; it is written into the page where it is served. */
type Place = { place: string };

/** The form of our own provider, or the way to another. The page as it was built holds both, and its style shows the true one. */
function Either({ place, wish, outline, load }: Place & Form) {
  const [isHere, setHere] = useState<boolean | null>(null);
  useEffect(() => setHere(place !== 'elsewhere'), [place]);
  if (isHere === true) return <LateForm load={load} outline={outline} />;
  if (isHere === false) return <LeadElsewhere wish={wish} />;
  return (
    <div data-place={place} className={styles.either}>
      <FormShell {...outline} />
      <ElsewhereWords wish={wish} />
    </div>
  );
}

/** Sign-in. Somebody who is signed in already, here or in another tab, goes on; Back does not lead here again. */
export function SignInScreen({ place }: Place) {
  const isSignedIn = useAppState(({ session }) => session.is === 'signed-in');
  useEffect(() => {
    const target = isSignedIn ? goOnTo() : null;
    if (target !== null) window.location.replace(programAddress(target));
  }, [isSignedIn]);
  return <Either place={place} {...forms.signIn} />;
}

/** A new account. */
export function RegisterScreen({ place }: Place) {
  return <Either place={place} {...forms.register} />;
}

/** A new password by a mailed code. */
export function ResetScreen({ place }: Place) {
  return <Either place={place} {...forms.reset} />;
}

'use client';

import { useMemo, useState } from 'react';
import { useSubmit } from '@/components/actions/use-submit';
import { Button } from '@/components/ui/button';
import { SelectField, TextField, twoColumnsClass } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { countries } from '@/lib/catalog/countries';
import type { ProfileUpdate } from '@/lib/contract/account';
import type { UserInfo } from '@/store/app-state';
import { showToast } from '@/store/toasts';
import styles from './account.module.scss';

/** Profile: firstName, lastName, address, country (specification section 2). */
export function ProfilePanel({ user }: { user: UserInfo }) {
  const [profile, setProfile] = useState<ProfileUpdate>({
    firstName: user.firstName,
    lastName: user.lastName,
    address: user.address,
    country: user.country,
  });
  const list = useMemo(() => countries(), []);
  const set = (field: keyof ProfileUpdate) => (event: { target: { value: string } }) =>
    setProfile((before) => ({ ...before, [field]: event.target.value }));
  const { busy, error, submit } = useSubmit(
    async () => (await import('@/services/user')).saveProfile(profile),
    (detail) => {
      void import('@/store/session-check').then(({ updateUser }) => updateUser(detail));
      showToast('Your profile is saved.');
    },
  );
  return (
    <section className={styles.panel} id="profile">
      <h2>Profile</h2>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        {error ? (
          <Notice tone="bad" role="alert">
            {error}
          </Notice>
        ) : null}
        <div className={twoColumnsClass}>
          <TextField
            label="First name"
            autoComplete="given-name"
            maxLength={100}
            value={profile.firstName}
            onChange={set('firstName')}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            maxLength={100}
            value={profile.lastName}
            onChange={set('lastName')}
          />
        </div>
        <TextField
          label="Address"
          autoComplete="street-address"
          maxLength={300}
          value={profile.address}
          onChange={set('address')}
        />
        <div className={twoColumnsClass}>
          <SelectField label="Country" autoComplete="country" value={profile.country} onChange={set('country')}>
            <option value="">Not given</option>
            {list.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <Button type="submit" busy={busy} className={styles.start ?? ''}>
          Save profile
        </Button>
      </form>
    </section>
  );
}

'use client';

import { twoColumnsClass } from '@/components/ui/field';
import type { UserInfo } from '@/store/session-machine';
import { showToast } from '@/store/toasts';
import styles from './account.module.scss';
import { CountryItem } from './kit/country-item';
import { TextItem } from './kit/fields';
import { Panel } from './kit/panel';
import { SubmitForm } from './kit/submit-form';

/** Profile: first name, last name, address, country. */
export function ProfilePanel({ user }: { user: UserInfo }) {
  const { firstName, lastName, address, country } = user;
  return (
    <Panel id="profile" title="Profile">
      <SubmitForm
        name="profile-form"
        className={styles.form}
        initialValues={{ firstName, lastName, address, country }}
        send={async (profile) => (await import('@/services/account')).saveProfile(profile)}
        onDone={(saved, profile) => {
          const detail = saved ?? { ...user, ...profile };
          void import('@/store/session-check').then(({ updateUser }) => updateUser(detail));
          showToast('Your profile is saved.');
        }}
        submitLabel="Save profile"
      >
        <div className={twoColumnsClass}>
          <TextItem name="firstName" label="First name" autoComplete="given-name" maxLength={100} />
          <TextItem name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
        </div>
        <TextItem name="address" label="Address" autoComplete="street-address" maxLength={300} />
        <div className={twoColumnsClass}>
          <CountryItem name="country" label="Country" />
        </div>
      </SubmitForm>
    </Panel>
  );
}

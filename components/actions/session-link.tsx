'use client';

import { useAppState, userInfo } from '@/store/app-state';
import { withPart } from '@/store/parts';
import { startSignIn } from '@/store/session';

/** "Sign in" for visitors, "Account" with the address of who is signed in. Without script it leads to the provider's page. */
export function SessionLink({ className }: { className?: string | undefined }) {
  const user = useAppState(userInfo);
  if (user) {
    return (
      <a className={className} href="/account" title={user.email} aria-label={`Account, signed in as ${user.email}`}>
        Account
      </a>
    );
  }
  return (
    <a
      className={className}
      href="/login"
      data-press="1"
      onClick={(event) => {
        event.preventDefault();
        void withPart(() => startSignIn());
      }}
    >
      Sign in
    </a>
  );
}

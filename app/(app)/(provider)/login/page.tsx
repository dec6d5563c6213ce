import type { Metadata } from 'next';
import { ProviderPage } from '@/components/auth/provider-page';
import { SignInScreen } from '@/components/auth/screens';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';
import { UNKNOWN_SIGN_IN } from '@/lib/seo/site';

export const metadata: Metadata = pageMetadata(appPages.login);

export default function Page() {
  const { title, lead } = appPages.login;
  return (
    <ProviderPage title={title} lead={lead}>
      <SignInScreen place={UNKNOWN_SIGN_IN} />
    </ProviderPage>
  );
}

import type { Metadata } from 'next';
import { ProviderPage } from '@/components/auth/provider-page';
import { SignInScreen } from '@/components/auth/screens';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.login);

export default function Page() {
  const { title, lead } = appPages.login;
  return (
    <ProviderPage title={title} lead={lead}>
      <SignInScreen />
    </ProviderPage>
  );
}

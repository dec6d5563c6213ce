import type { Metadata } from 'next';
import { ProviderPage } from '@/components/auth/provider-page';
import { RegisterScreen } from '@/components/auth/screens';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';
import { UNKNOWN_SIGN_IN } from '@/lib/seo/site';

export const metadata: Metadata = pageMetadata(appPages.register);

export default function Page() {
  const { title, lead } = appPages.register;
  return (
    <ProviderPage title={title} lead={lead}>
      <RegisterScreen place={UNKNOWN_SIGN_IN} />
    </ProviderPage>
  );
}

import type { Metadata } from 'next';
import { ProviderPage } from '@/components/auth/provider-page';
import { RegisterScreen } from '@/components/auth/screens';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.register);

export default function Page() {
  const { title, lead } = appPages.register;
  return (
    <ProviderPage title={title} lead={lead}>
      <RegisterScreen />
    </ProviderPage>
  );
}

import type { Metadata } from 'next';
import { ProviderPage } from '@/components/auth/provider-page';
import { ResetScreen } from '@/components/auth/screens';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.resetPassword);

export default function Page() {
  const { title, lead } = appPages.resetPassword;
  return (
    <ProviderPage title={title} lead={lead}>
      <ResetScreen />
    </ProviderPage>
  );
}

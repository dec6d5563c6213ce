import type { Metadata } from 'next';
import { ProviderPage } from '@/components/auth/provider-page';
import { ResetForm } from '@/components/auth/reset-form';
import { appPages } from '@/lib/content/pages/app';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.resetPassword);

export default function Page() {
  const { title, lead } = appPages.resetPassword;
  return (
    <ProviderPage title={title} lead={lead}>
      <ResetForm />
    </ProviderPage>
  );
}

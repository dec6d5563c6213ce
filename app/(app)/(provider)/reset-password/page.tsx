import type { Metadata } from 'next';
import { ProviderPage } from '@/components/auth/provider-page';
import { ResetScreen } from '@/components/auth/screens';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';
import { UNKNOWN_SIGN_IN } from '@/lib/seo/site';

export const metadata: Metadata = pageMetadata(appPages.resetPassword);

export default function Page() {
  const { title, lead, leadElsewhere } = appPages.resetPassword;
  return (
    <ProviderPage title={title} lead={lead} elsewhere={{ place: UNKNOWN_SIGN_IN, lead: leadElsewhere }}>
      <ResetScreen place={UNKNOWN_SIGN_IN} />
    </ProviderPage>
  );
}

import type { Metadata } from 'next';
import { AccountScreen } from '@/components/account/account-screen';
import { appPages } from '@/lib/content/screens/app';
import { pageMetadata } from '@/lib/seo/metadata';

export const metadata: Metadata = pageMetadata(appPages.account);

export default function Page() {
  return <AccountScreen />;
}

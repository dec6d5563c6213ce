import '@/styles/globals.scss';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { cx } from '@/components/ui/cx';
import { brands } from '@/lib/catalog/brands';
import { siteOrigin } from '@/lib/seo/site';
import { display, text } from './fonts';

export const metadata: Metadata = {
  metadataBase: new URL(siteOrigin),
  title: brands.mendara.name,
  applicationName: brands.mendara.name,
  formatDetection: { telephone: false, address: false, email: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#0c1122' },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={cx(display.variable, text.variable)}>
      <body>{children}</body>
    </html>
  );
}

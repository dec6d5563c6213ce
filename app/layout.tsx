import '@/styles/globals.scss';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { cx } from '@/components/ui/cx';
import { brands } from '@/lib/catalog/brands';
import { bootScript } from '@/lib/content/generated/boot-script';
import { iconAddress } from '@/lib/seo/icon';
import { UNKNOWN_ORIGIN } from '@/lib/seo/site';
import { accents, display, text } from './fonts';

export const metadata: Metadata = {
  metadataBase: new URL(UNKNOWN_ORIGIN),
  title: brands.mendara.name,
  applicationName: brands.mendara.name,
  icons: { icon: { url: iconAddress, type: 'image/svg+xml', sizes: 'any' } },
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
    // The script sets attributes of this element before the framework looks at it.
    <html lang="en" className={cx(display.variable, text.variable, accents.variable)} suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, hashed for the policy at the build. */}
        <script dangerouslySetInnerHTML={{ __html: bootScript }} />
      </head>
      <body>{children}</body>
    </html>
  );
}

import type { MetadataRoute } from 'next';
import { brandSentences, brands } from '@/lib/catalog/brands';

export const dynamic = 'force-static';

export default function manifest(): MetadataRoute.Manifest {
  const { name } = brands.mendara;
  return {
    name,
    short_name: name,
    description: brandSentences.mendara,
    start_url: '/',
    display: 'browser',
    background_color: '#ffffff',
    theme_color: '#2340e0',
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
}

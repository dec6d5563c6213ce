import { absolute } from '@/lib/seo/site';

export const dynamic = 'force-static';

/** Where to report a weakness (RFC 9116). It expires a year after the build, as the standard advises. */
export function GET(): Response {
  const expires = new Date();
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  const lines = [
    `Contact: ${absolute('/contact-us')}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${absolute('/.well-known/security.txt')}`,
  ];
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

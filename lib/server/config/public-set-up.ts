import 'server-only';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from './origins';
import { isLoopbackAddress } from './proxies';

/** What decides whether a set-up is there for others. */
type SetUp = {
  HOST: string;
  SITE_URL?: string | undefined;
  SMTP_URL?: string | undefined;
  PAYMENT_PROVIDER: string;
  ALLOW_SANDBOX_PAYMENTS: boolean;
};

/** Addresses of a house or an office, and "every interface" (RFC 1918; RFC 4193; RFC 3927; RFC 4291). */
const near = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 32],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  near.addSubnet(network, bits, 'ipv4');
}
near.addAddress('::', 'ipv6');
near.addSubnet('fc00::', 7, 'ipv6');
near.addSubnet('fe80::', 10, 'ipv6');

/** True for a name or an address under which others reach this computer. A name without a loopback meaning is one. */
function isPublicHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  const version = isIP(bare);
  if (version === 0) return !isLoopback(host) && host !== '*';
  return !isLoopbackAddress(bare) && !near.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/** Why visitors of this set-up would find it public, in words; null when it is not. */
function publicBecause({ HOST, SITE_URL }: SetUp): string | null {
  if (SITE_URL?.startsWith('https:')) return `SITE_URL is an https address (${SITE_URL})`;
  if (SITE_URL && isPublicHost(new URL(SITE_URL).hostname)) return `SITE_URL is a public address (${SITE_URL})`;
  if (isPublicHost(HOST)) return `HOST is a public address (${HOST})`;
  return null;
}

/**
 * What a set-up that others reach lacks, a sentence each: licences must not be had for a test card, nor the mails be
 * kept where nobody gets them. `ALLOW_SANDBOX_PAYMENTS=1` says that it is a demonstration.
 */
export function publicSetUpFaults(setUp: SetUp): string[] {
  const because = setUp.ALLOW_SANDBOX_PAYMENTS ? null : publicBecause(setUp);
  if (!because) return [];
  const way = 'or set ALLOW_SANDBOX_PAYMENTS=1 if this is a demonstration';
  return [
    ...(setUp.PAYMENT_PROVIDER === 'sandbox'
      ? [`${because}, and payments would go to the sandbox: set PAYMENT_PROVIDER=stripe with its keys, ${way}.`]
      : []),
    ...(setUp.SMTP_URL ? [] : [`${because}, and there is no mail server: set SMTP_URL, ${way}.`]),
  ];
}

import 'server-only';
import { BlockList, isIP } from 'node:net';

/** Whose word on a client's address is taken. */
export type Proxies = {
  /** True when no proxy is trusted at all. */
  isNobody: boolean;
  /** True when every peer is taken for the proxy in front. */
  isAnyone: boolean;
  /** True for the address of a trusted proxy. */
  trust(address: string): boolean;
};

/** Nobody is trusted: the client is who connects. */
export const noProxies: Proxies = { isNobody: true, isAnyone: false, trust: () => false };
const anyone: Proxies = { isNobody: false, isAnyone: true, trust: () => true };

/** Splits `10.0.0.0/8` or `::1`; null when it is no address or network. */
function networkOf(entry: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', width, ...rest] = entry.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = width === undefined ? most : Number(width);
  if (version === 0 || rest.length > 0 || width === '') return null;
  if (!Number.isInteger(bits) || bits < 0 || bits > most) return null;
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * Reads `0` (nobody), `1` (whoever connects is the proxy) or a list of addresses and networks, separated by commas or
 * spaces. Null when it is none of these.
 */
export function parseProxies(text: string): Proxies | null {
  if (/^(0|false|off|no)?$/.test(text)) return noProxies;
  if (/^(1|true|on|yes)$/.test(text)) return anyone;
  const networks = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const list = new BlockList();
  for (const entry of networks) {
    const network = networkOf(entry);
    if (!network) return null;
    list.addSubnet(network.address, network.bits, network.family);
  }
  return {
    isNobody: false,
    isAnyone: false,
    trust: (address) => isIP(address) > 0 && list.check(address, familyOf(address)),
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for an address of this computer alone (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3). */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) > 0 && loopback.check(address, familyOf(address));
}

import 'server-only';

/** What limits count by: an IPv4 address, or the /64 network of an IPv6 one, since one line has a whole /64. */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** What is kept and logged of an address: its network of 256 (IPv4) or its /64, enough to tell visits apart, not a line's holder. */
export function networkOnly(address: string): string {
  return clientNetwork(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');
}

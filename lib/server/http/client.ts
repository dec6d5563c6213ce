import 'server-only';

/** Header in which the server in front says who is calling; it overwrites whatever the client sent. */
const CLIENT_HEADER = 'x-client-address';

/** Header in which it says whether a program on this computer asks for itself, by the socket's address. */
const LOCAL_HEADER = 'x-client-is-local';

/** True when the server in front saw the call come from this computer. */
export function isFromThisComputer(request: Request): boolean {
  return request.headers.get(LOCAL_HEADER) === '1';
}

/** Address of the caller, as the server in front saw it. */
export function clientAddress(request: Request): string {
  return request.headers.get(CLIENT_HEADER) ?? 'unknown';
}

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

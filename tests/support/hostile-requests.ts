import { connect } from 'node:net';

/** Numbers from 0 up to 1 that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A request as bytes, and what came of it: the status, 0 where the connection ended without one. */
export type Tried = { bytes: Buffer; status: number; head: string; body: string };

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'PURGE'];

const nasty = [
  '%00',
  '%2f',
  '%5c',
  '..%2f..%2fetc%2fpasswd',
  '../../secrets.json',
  '%ff%fe',
  '%E0%A4%A',
  "' or 1=1--",
  '$%7Bjndi:ldap://x%7D',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\u202e.exe',
  'a'.repeat(5000),
  '-1',
  '1e309',
  'NaN',
  'null',
  '[object Object]',
  '__proto__',
  'constructor',
  '%0d%0aSet-Cookie:%20a=b',
  ';',
  '//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
];

const apiPaths = [
  'health',
  'products/list',
  'pay/create',
  'pay',
  'pay/info/MD1',
  'pay/provider',
  'pay/webhook/sandbox',
  'pay/webhook/stripe',
  'recovery/downloader',
  'recovery/installers',
  'recovery/files/recovery-win.exe',
  'sso/auth/url',
  'sso/login',
  'sso/logout',
  'sso/check',
  'sso/register',
  'sso/confirm',
  'sso/password',
  'sso/code',
  'user/info',
  'user/products/list',
  'user/password/reset',
  'user/cancel/subscription/x',
  'user/resume/subscription/x',
  'user/sessions',
  'user/sessions/x',
  'user/orders',
  'user/orders/x/receipt',
  'user/export',
  'user',
  'oss/signature',
  'oss/upload',
  'event/track/log',
  'repair/tasks/x',
  'repair/tasks/x/file',
  'orders/lookup',
  'orders/x/withdraw',
  'orders/link/x',
  'contact',
  'outbox',
  'outbox/x',
  'sandbox/checkout/x',
  'sandbox/settle/x',
  'licences/activate',
]; // prettier-ignore
const pagePaths = [
  '/',
  '/account',
  '/data-recovery-store',
  '/pay-success',
  '/login',
  '/tools/x',
  '/sitemap.xml',
  '/robots.txt',
  '/404',
  '/_next/static/chunks/x.js',
  '/_next/image',
  '/_next/data/x.json',
  '/_next/webpack-hmr',
  '/favicon.ico',
  '/.env',
  '/.git/config',
  '/third-party-notices.txt',
  '/manifest.webmanifest',
  '/opengraph-image',
  '/index',
  '/page',
  '/_not-found',
];
const fields = [
  'email',
  'password',
  'code',
  'redirectUri',
  'redirect_uri',
  'ticket',
  'token',
  'type',
  'fileName',
  'fileSize',
  'productsId',
  'productsPriceId',
  'successUrl',
  'cancelUrl',
  'orderId',
  'payExtend',
  'userExtend',
  'website',
  'os',
  'currentPassword',
  'newPassword',
  'firstName',
  'country',
  'message',
  'action',
  'cardNumber',
  'key',
  'confirm',
  'sampleId',
  'licenceCode',
  '_rsc',
];

/** What a seed decides. */
type Dice = { random: () => number; pick: <T>(list: readonly T[]) => T; chance: (share: number) => boolean };

function diceOf(random: () => number): Dice {
  return {
    random,
    pick: <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T,
    chance: (share) => random() < share,
  };
}

/** Without what no line of a head may hold. */
function inAddress(text: string): string {
  return text.replace(/[\s\u0080-\uffff]/g, '+');
}

function inHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '');
}

function queryOf({ random, pick }: Dice): string {
  const pairs = Array.from({ length: Math.floor(random() * 4) }, () => `${pick(fields)}=${inAddress(pick(nasty))}`);
  return pairs.join('&');
}

function targetOf(dice: Dice): string {
  const { pick, chance } = dice;
  if (chance(0.02)) return pick(['*', 'http://evil.example/', '/%', '/?', '/%01']);
  let path = chance(0.75) ? `/api/v1/${pick(apiPaths)}` : pick(pagePaths);
  if (chance(0.3)) path = path.replace(/[^/]*$/, inAddress(pick(nasty)));
  if (chance(0.1)) path = path.replaceAll('/', pick(['//', '/./', '/%2e%2e/', '%2f', '\\']));
  return chance(0.5) ? `${path}?${queryOf(dice)}` : path;
}

const hosts = ['localhost', 'evil.example', 'localhost:3000', '[::1]', 'a'.repeat(300), ''];
const printable = nasty.map(inHeader);
const headerValues: Record<string, readonly string[]> = {
  Authorization: printable,
  Cookie: [...printable.map((text) => `userInfo=${text}; Authorization=x`), `a=${'b'.repeat(2000)}`],
  Range: ['bytes=0-0', 'bytes=-', 'bytes=99999999999999999999-', 'bytes=0-1,2-3', 'lines=1-2'],
  'Accept-Encoding': ['br;q=0', 'gzip, br, *;q=nonsense', ''],
  'If-None-Match': ['*', 'W/"x"', '"'.repeat(100)],
  Origin: ['null', 'https://evil.example', 'not an origin'],
  RSC: ['1'],
  'Next-Router-State-Tree': ['%5B', '["",{},null]', 'x'],
  'Next-Router-Prefetch': ['1'],
  'Next-Action': ['x', '0'.repeat(42)],
  'X-Middleware-Subrequest': ['middleware:middleware:middleware'],
  'X-Forwarded-For': printable,
  'X-Forwarded-Host': ['evil.example'],
  'X-Forwarded-Proto': ['https'],
  'X-HTTP-Method-Override': ['DELETE'],
  'X-Client-Address': ['127.0.0.1'],
  'X-Client-Is-Local': ['1'],
  'Idempotency-Key': printable,
  Expect: ['100-continue', 'nonsense'],
  website: printable,
  phone_os: ['2', '3', '9'.repeat(100)],
  'stripe-signature': ['t=1,v1=0', 'x'],
};

function headersOf({ pick, chance }: Dice): string[] {
  const some = Object.entries(headerValues).filter(() => chance(0.12));
  return [`Host: ${pick(hosts)}`, ...some.map(([name, values]) => `${name}: ${pick(values)}`)];
}

const scalars = [Number.MAX_VALUE, -1, null, true, [], {}, 'a\0b', '\ud800', 'x@example.com', 17, ...nasty];

function nestedValue({ random, pick, chance }: Dice): unknown {
  let value: unknown = pick(scalars);
  for (let depth = Math.floor(random() * 200); depth > 0; depth -= 1) {
    value = chance(0.5) ? [value] : { [pick(fields)]: value };
  }
  return value;
}

/** A body with its media type. */
type Content = { type: string; bytes: Buffer };

const contents: ((dice: Dice) => Content)[] = [
  (dice) => {
    const names = Array.from({ length: Math.floor(dice.random() * 6) }, () => dice.pick(fields));
    const bytes = Buffer.from(JSON.stringify(Object.fromEntries(names.map((name) => [name, nestedValue(dice)]))));
    return { type: 'application/json', bytes: dice.chance(0.2) ? bytes.subarray(0, bytes.length / 2) : bytes };
  },
  (dice) => ({ type: 'application/x-www-form-urlencoded', bytes: Buffer.from(queryOf(dice)) }),
  ({ pick, chance }) => {
    const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
    const form = `${part(`name="${pick(fields)}"`, pick(nasty))}${part(`name="file"; filename="${pick(nasty)}"`, 'x')}`;
    const type = `multipart/form-data${chance(0.8) ? '; boundary=b' : ''}`;
    return { type, bytes: Buffer.from(`${form}${chance(0.5) ? '--b--\r\n' : ''}`) };
  },
  ({ random, pick }) => ({
    type: pick(['text/plain', 'application/octet-stream', 'text/x-component', 'nonsense']),
    bytes: Buffer.from(Array.from({ length: Math.floor(random() * 4000) }, () => Math.floor(random() * 256))),
  }),
];

/** A hostile request of a seed: odd method, address, headers and body, yet whole enough to be answered. */
export function hostileRequest(random: () => number): Buffer {
  const dice = diceOf(random);
  const method = dice.pick(methods);
  const headers = headersOf(dice);
  const usuallyHasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
  const content = dice.chance(usuallyHasBody ? 0.8 : 0.1) ? dice.pick(contents)(dice) : null;
  if (content) headers.push(`Content-Type: ${content.type}`, `Content-Length: ${content.bytes.length}`);
  const head = [`${method} ${targetOf(dice)} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), content?.bytes ?? Buffer.alloc(0)]);
}

/** Sends a request by hand and reads what comes until the other side ends. */
export function tryOut(port: number, bytes: Buffer): Promise<Tried> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const head = end === -1 ? text : text.slice(0, end);
      // An interim answer comes before the one that counts (RFC 9110, section 15.2).
      const last = /^HTTP\/1\.1 100 /.test(head) ? text.slice(end + 4) : text;
      resolve({
        bytes,
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(last)?.[1] ?? 0),
        head: last.split('\r\n\r\n', 1)[0] ?? '',
        body: last,
      });
    });
    socket.write(bytes);
  });
}

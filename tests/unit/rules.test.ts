import { describe, expect, it, vi } from 'vitest';
import { countries } from '@/lib/catalog/countries';
import { decimal, dollars, findPlan, offers, plans } from '@/lib/catalog/plans';
import { onlineTools } from '@/lib/catalog/tools';
import { refuseFile } from '@/lib/catalog/upload-rules';
import { contentSecurityPolicy, policyOrigins } from '@/lib/cli/front/policy';
import { isEmail } from '@/lib/contract/email';
import { newPasswordError, retypeError } from '@/lib/contract/password-rules';
import { AppError } from '@/lib/utils/app-error';
import { readableSize } from '@/lib/utils/bytes';
import { agree, bannerState, hasAgreed } from '@/lib/utils/consent';
import { withdraw } from '@/lib/utils/consent-withdrawal';
import { readCookie } from '@/lib/utils/cookies';
import { errorStatus } from '@/lib/utils/error-status';
import { isInternalPage, withCurrentQuery } from '@/lib/utils/query';
import { runGuard } from '@/store/guards';
import { withBusinessOrder } from '@/store/order-payload';
import { logOrderResult } from '@/store/order-result';

const origin = 'https://www.example.com';

describe('password messages', () => {
  it.each([
    ['', 'Please enter your password.'],
    ['12345', 'Password length must be 6 to 32 characters.'],
    ['123456', undefined],
    ['a'.repeat(32), undefined],
    ['a'.repeat(33), 'Password length must be 6 to 32 characters.'],
    ['пароль', undefined],
  ])('new password %j', (password, message) => expect(newPasswordError(password)).toBe(message));

  it('asks for the second entry and compares it', () => {
    expect(retypeError('secret', '')).toBe('Please enter your password again.');
    expect(retypeError('secret', 'secreT')).toBe('The passwords do not match.');
    expect(retypeError('secret', 'secret')).toBeUndefined();
  });
});

describe('query-keeping links', () => {
  it('adds the current query, lets the link’s own parameters win, drops what works once', () => {
    const current = '?gcid=1&gclid=2&ufrom=mac&x=a&x=b&ticket=t';
    expect(withCurrentQuery('/data-recovery-store?ufrom=win#plans', current, origin)).toBe(
      '/data-recovery-store?ufrom=win&gcid=1&gclid=2&x=a&x=b#plans',
    );
  });

  it('leaves the parameters of an order and of signing in on their pages, and takes them for the visitor’s own on others', () => {
    const current = '?orderId=9&website=x&from=news&redirect_uri=y&code=SAVE10&email=a&key=1';
    for (const page of ['/packge-loading', '/pay-success/', '/pending', '/login', '/register', '/reset-password'])
      expect(withCurrentQuery('/faq', current, origin, page)).toBe('/faq?code=SAVE10&email=a&key=1');
    for (const page of [
      '/',
      '/photo-restoration',
      '/product-center',
      '/repair-tool',
      '/pdf-editor',
      '/data-recovery-store',
    ])
      expect(withCurrentQuery('/faq', current, origin, page)).toBe(`/faq${current}`);
  });

  it('knows what the app may open', () => {
    const internal = (href: string) => isInternalPage(new URL(href, origin), origin);
    expect(internal('/faq')).toBe(true);
    expect(internal('/PaySuccess?x=1')).toBe(true);
    expect(internal('/api/v1/health')).toBe(false);
    expect(internal('/files/a.exe')).toBe(false);
    expect(internal('https://other.example/')).toBe(false);
    expect(internal('mailto:a@example.com')).toBe(false);
  });
});

describe('files before they are sent', () => {
  const { file, video } = onlineTools;
  it.each([
    [file, 'a.pdf', 100, null],
    [file, 'A.PDF', 5 * 2 ** 20 - 1, null],
    [file, 'a.pdf', 5 * 2 ** 20, /must be under 5 MB/],
    [video, 'a.mp4', 500 * 2 ** 20, /must be under 500 MB/],
    [file, 'a.pdf', 0, /is empty/],
    [file, 'a.exe', 10, /PDF, DOCX, PPTX, XLSX, DOC, PPT or XLS/],
    [file, 'pdf', 10, /PDF, DOCX/],
  ])('%#', (tool, name, size, message) => {
    const refusal = refuseFile(tool, { name, size });
    if (message === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(message);
  });
});

describe('plans', () => {
  it('are three for every product and platform, with unlimited PCs for the WhatsApp tool only', () => {
    expect(plans).toHaveLength(18);
    expect(plans.filter(({ pcs }) => pcs === null).every(({ website }) => website === 'whatsapp')).toBe(true);
    expect(findPlan('recovery-win-ultimate')).toMatchObject({ name: 'Ultimate', oldCents: 8995, type: 'perpetual' });
  });
  it('cost what is promised', () => {
    expect(offers.map(({ name, cents, type }) => [name, cents, type])).toEqual([
      ['Monthly', 999, 'month'],
      ['Pro', 1999, 'year'],
      ['Ultimate', 2999, 'perpetual'],
    ]);
  });
  it('write money without floating point', () => {
    expect([decimal(999), dollars(8995), decimal(5), decimal(100)]).toEqual(['9.99', '$89.95', '0.05', '1.00']);
  });
});

describe('consent', () => {
  it('stores the uuid on Agree and deletes it on withdrawal', () => {
    expect(hasAgreed()).toBe(false);
    expect(readCookie('uuid')).toBeUndefined();
    agree();
    logOrderResult({ orderId: 'MD1', status: 'pending' });
    expect(window.sessionStorage.getItem('loggedResult')).toBe('MD1 pending');
    expect(hasAgreed()).toBe(true);
    expect(readCookie('uuid')).toBe(window.localStorage.getItem('uuid'));
    withdraw();
    expect([hasAgreed(), readCookie('uuid'), window.localStorage.getItem('uuid')]).toEqual([false, undefined, null]);
    expect(window.sessionStorage.getItem('loggedResult')).toBeNull();
    expect(bannerState()).toBe('open');
  });

  it('takes the banner away where no storage remembers it, and stores nothing', () => {
    const storage = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    agree();
    expect([bannerState(), hasAgreed(), readCookie('uuid')]).toEqual(['agreed', false, undefined]);
    storage.mockRestore();
    agree();
    withdraw();
    expect(bannerState()).toBe('open');
  });
});

describe('step 4 of the purchase', () => {
  it('passes businessOrderCode and model on, model only beside it', () => {
    const pay = 'https://pay.example/c?k=1';
    expect(withBusinessOrder(pay, '?businessOrderCode=B%201&model=m')).toBe(
      'https://pay.example/c?k=1&businessOrderCode=B+1&model=m',
    );
    expect(withBusinessOrder(pay, '?model=m')).toBe(pay);
  });
});

describe('errors and guards', () => {
  it('give an error a message and the status 500 unless it has one', () => {
    expect(new AppError('x')).toMatchObject({ message: 'x', statusCode: 500 });
    expect(new AppError('Gone', 404)).toMatchObject({ message: 'Gone', statusCode: 404 });
    for (const thrown of [{}, null, undefined, 'text', { statusCode: '404' }, new Error('x'), new AppError('x')]) {
      expect(errorStatus(thrown)).toBe(500);
    }
    expect(errorStatus({ message: 'Gone', statusCode: 404 })).toBe(404);
  });
  it('refuse an unknown guard with 500', () => {
    expect(() => runGuard('toString', { is: 'unknown' })).toThrow(expect.objectContaining({ statusCode: 500 }));
    expect(runGuard('signedIn', { is: 'signed-out', told: true })).toBe('sign-in');
  });
});

describe('the server in front', () => {
  it('gives each route its hashes and only the banner other ancestors', () => {
    const origins = policyOrigins({
      NODE_ENV: 'test',
      PAYMENT_FRAME_ORIGINS: 'https://pay.example',
      BANNER_FRAME_ANCESTORS: 'https://app.example, nonsense',
    });
    const page = contentSecurityPolicy('/faq', ["'sha256-x'"], origins);
    expect(page).toContain("script-src 'self' 'sha256-x'");
    expect(page).toContain("frame-src 'self' https://pay.example");
    expect(page).toMatch(/frame-ancestors 'self'$/);
    expect(page).not.toContain('unsafe-inline');
    expect(contentSecurityPolicy('/tools/Banner', [], origins)).toMatch(
      /frame-ancestors 'self' https:\/\/app\.example$/,
    );
  });
  it('lets pages send files to the object store where it is for browsers', () => {
    const connect = (more: Record<string, string>) =>
      policyOrigins({ NODE_ENV: 'test', S3_ENDPOINT: 'http://10.0.0.5:9000', S3_BUCKET: 'repairs', ...more }).connect;
    expect(connect({})).toEqual(['http://10.0.0.5:9000']);
    expect(connect({ S3_PUBLIC_ENDPOINT: 'https://s3.example' })).toEqual(['https://s3.example']);
    expect(connect({ S3_PUBLIC_ENDPOINT: 'https://s3.example', S3_PATH_STYLE: '0' })).toEqual([
      'https://repairs.s3.example',
    ]);
  });
  it('opens the payment page alone to the provider’s form and to the sites that use this API', () => {
    const origins = policyOrigins({
      NODE_ENV: 'test',
      PAYMENT_PROVIDER: 'stripe',
      ALLOWED_ORIGINS: 'https://shop.example',
    });
    const checkout = contentSecurityPolicy('/checkout', ["'sha256-x'"], origins);
    expect(checkout).toMatch(/script-src 'self' 'sha256-x' https:\/\/js\.stripe\.com/);
    expect(checkout).toMatch(/frame-ancestors 'self' https:\/\/shop\.example$/);
    const store = contentSecurityPolicy('/data-recovery-store', [], origins);
    expect(store).not.toContain('stripe');
    expect(store).toMatch(/frame-ancestors 'self'$/);
    expect(contentSecurityPolicy('/checkout', [], policyOrigins({ NODE_ENV: 'test' }))).not.toContain('stripe');
  });
});

describe('small words', () => {
  it('sizes', () =>
    expect([readableSize(1), readableSize(1536), readableSize(5 * 2 ** 20)]).toEqual(['1 byte', '1.5 kB', '5.0 MB']));
  it.each([
    ['ann@example.com', true],
    ['ann@example', false],
    ['ann example@x.y', false],
    [`${'a'.repeat(65)}@example.com`, false],
  ])('e-mail %s', (value, good) => expect(isEmail(value)).toBe(good));
});

describe('the list of countries', () => {
  it('is made once, sorted by name', () => {
    const names = countries().map(({ name }) => name);
    expect(names.length).toBe(249);
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
    expect(countries()).toBe(countries());
  });
});

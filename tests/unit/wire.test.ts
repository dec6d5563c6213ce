import fs from 'node:fs';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ownedProductSchema } from '@/lib/contract/account';
import { idSchema, ifFits, momentSchema, nothingSchema, orElse, orNull, webAddressSchema } from '@/lib/contract/fields';
import { payAnswerSchema, payInfoSchema } from '@/lib/contract/pay';
import { sessionCheckSchema, ssoLoginSchema, userDetailSchema } from '@/lib/contract/session';
import { get } from '@/services/http';
import { cancelSubscription, saveProfile } from '@/services/user';

const base = 'http://localhost:3000/api/v1';
const server = setupServer();
const says = (obj: unknown, more: object = { success: '1', msg: '' }) =>
  server.use(http.all(`${base}/*`, () => HttpResponse.json({ ...more, obj })));

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('what an answer may leave out', () => {
  it('has a meaning: a user of whom only id and e-mail are told has a password', () => {
    const user = userDetailSchema.parse({ id: 7, email: 'ann@example.com', firstName: null, role: 'x' });
    expect(user).toMatchObject({ id: '7', email: 'ann@example.com', firstName: '', country: '', hasPassword: true });
    expect(user).not.toHaveProperty('role');
    expect(userDetailSchema.parse({ ...user, hasPassword: false }).hasPassword).toBe(false);
  });

  it('is what is not certain of a plan and of an order', () => {
    const plan = { id: 's1', product: 'P', currentPlan: 'Pro', status: 'normal' };
    expect(ownedProductSchema.parse(plan)).toEqual({
      ...plan,
      type: null,
      expirationDate: null,
      licenceCode: '',
      autoRenew: true,
    });
    expect(payInfoSchema.parse({ status: 'pending' })).toMatchObject({ status: 'pending', amount: '', paidAt: null });
  });

  it('is everything of a check but that it is an object', () => {
    expect(sessionCheckSchema.parse({})).toEqual({});
    for (const none of [null, undefined, '', false, 0, []]) expect(sessionCheckSchema.parse(none)).toBeNull();
  });
});

describe('what an answer may not be', () => {
  const wrong: [string, z.ZodMiniType, unknown][] = [
    ['a user without an id', userDetailSchema, { email: 'ann@example.com' }],
    ['a user with an object for a name', userDetailSchema, { id: 1, email: 'a@b.c', firstName: {} }],
    ['a token that would break a header', ssoLoginSchema, { tokenValue: 'a\nb', userDetail: { id: 1, email: 'a' } }],
    [
      'a plan that ends at no moment',
      ownedProductSchema,
      { id: 1, product: '', currentPlan: '', status: 'normal', expirationDate: 'soon' },
    ],
    ['an order in a state that there is not', payInfoSchema, { status: 'lost' }],
    ['a payment page without an address', payAnswerSchema, { redirectUrl: '' }],
    ['an empty id', idSchema, ''],
    ['a moment that is none', momentSchema, 'never'],
  ];
  it.each(wrong)('%s', (_, schema, value) => expect(schema.safeParse(value).success).toBe(false));

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:x',
    'mendara:pay',
    'http://',
    ' java\nscript:x',
  ])('an address such as %j', (address) => expect(webAddressSchema.safeParse(address).success).toBe(false));
  it.each(['https://pay.example/p?x=1', 'http://localhost:3000/checkout', '/checkout?key=1', '//pay.example/p'])(
    'but an address such as %j may',
    (address) => expect(webAddressSchema.parse(address)).toBe(address),
  );
});

describe('the building blocks', () => {
  it('fill, empty and ignore as they say', () => {
    expect([undefined, null, 'x'].map((value) => orElse(z.string(), 'y').parse(value))).toEqual(['y', 'y', 'x']);
    expect(orNull(z.object({ a: z.number() })).parse([1])).toBeNull();
    expect(orNull(z.object({ a: z.number() })).safeParse({ a: 'x' }).success).toBe(false);
    expect(ifFits(z.object({ a: z.number() })).parse({ a: 'x' })).toBeNull();
    expect(ifFits(z.object({ a: z.number() })).parse({ a: 1, b: 2 })).toEqual({ a: 1 });
    for (const value of [undefined, null, 7, { a: 1 }]) expect(nothingSchema.parse(value)).toBeNull();
  });
});

describe('the client', () => {
  it('calls an answer that does not fit unusable, in plain words', async () => {
    says({ redirectUrl: 'javascript:alert(1)' }, { success: '1', msg: 'ok' });
    const msg = 'The server gave no usable answer. Please try again in a moment.';
    const unusable = { ok: false, error: { kind: 'protocol', code: '', msg, status: 200 } };
    expect(await get('/pay', payAnswerSchema)).toEqual(unusable);
    says('text', { success: { code: 1 } });
    expect(await get('/pay', z.unknown())).toEqual(unusable);
    says(null, { success: '1', msg: 7 });
    expect(await get('/pay', z.unknown())).toEqual(unusable);
  });

  it('takes an envelope of a number, without words, or without an object', async () => {
    server.use(http.get(`${base}/a`, () => HttpResponse.json({ success: 1 })));
    expect(await get('/a', nothingSchema)).toEqual({ ok: true, value: null });
    server.use(http.get(`${base}/a`, () => HttpResponse.json({ success: 500, msg: null })));
    expect(await get('/a', nothingSchema)).toMatchObject({ ok: false, error: { kind: 'refusal', code: '500' } });
  });

  it('goes on from what it knew where another API does not send the changed thing back', async () => {
    const row = ownedProductSchema.parse({ id: 's1', product: 'P', currentPlan: 'Pro', status: 'normal' });
    says(true);
    expect(await cancelSubscription(row)).toEqual({ ok: true, value: { ...row, status: 'unsubscribe' } });
    expect(await saveProfile({ firstName: 'A', lastName: '', address: '', country: '' })).toEqual({
      ok: true,
      value: null,
    });
    says({ ...row, status: 'unsubscribe', licenceCode: 'AB' });
    expect(await cancelSubscription(row)).toMatchObject({ ok: true, value: { licenceCode: 'AB' } });
  });

  it('never tries eval out, which the policy forbids', () => expect(z.config().jitless).toBe(true));
});

describe('browser code', () => {
  const files = ['services', 'store', 'components', 'lib/contract', 'lib/utils', 'lib/repair/report/schema.ts'].flatMap(
    (place) =>
      fs.statSync(place).isFile()
        ? [place]
        : fs
            .readdirSync(place, { recursive: true, encoding: 'utf8' })
            .filter((file) => /\.tsx?$/.test(file))
            .map((file) => `${place}/${file}`),
  );

  it('knows the small schema library only', () => {
    const whole = files.filter((file) => /from 'zod'|from "zod"|import\('zod'\)/.test(fs.readFileSync(file, 'utf8')));
    expect(whole).toEqual([]);
  });

  it('casts no answer', () => {
    const casts = files
      .filter((file) => file.startsWith('services/'))
      .filter((file) =>
        / as (?!const\b|[a-z]+ from\b|z from)/.test(
          fs.readFileSync(file, 'utf8').replace(/^import .*$|\/\/.*$|^ ?\*.*$|\/\*\*.*\*\/$/gm, ''),
        ),
      );
    expect(casts).toEqual([]);
  });
});

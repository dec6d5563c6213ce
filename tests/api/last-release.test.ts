import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OwnedProduct } from '@/lib/contract/account';
import type { OrderRow } from '@/lib/contract/orders';
import type { UserDetail } from '@/lib/contract/session';
import { openInMemory } from '@/lib/server/db/embedded';
import { migrate } from '@/lib/server/db/migrate';
import { orders, users } from '@/lib/server/db/schema';
import { addPeriodicJobs } from '@/lib/server/jobs/prepare';
import { handlers } from '@/lib/server/run/handlers';
import { startApi, type TestApi } from './harness/api';
import { signIn } from './harness/people';
import { buy } from './harness/shop';

/** The data folder of a server of release 0.1.0 on which people had bought, withdrawn and left a payment pending. */
const STORED = 'tests/fixtures/release-0.1.0/database.tar.br';

let api: TestApi;
let token: string;

beforeAll(async () => {
  const handle = await openInMemory(new Blob([new Uint8Array(brotliDecompressSync(readFileSync(STORED)))]));
  await migrate(handle);
  api = await startApi({}, handle);
  token = await signIn(api, 'owner@example.com', 'kept password');
});
afterAll(() => api.close());

const owned = async () => (await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token })).obj;

it('opens after the update: the account and what it owns are there', async () => {
  const { obj } = await api.ask<UserDetail>('GET', '/user/info', { token });
  expect(obj).toMatchObject({ email: 'owner@example.com', firstName: 'Ann', country: 'SE' });
  const rows = await owned();
  expect(rows).toHaveLength(2);
  const monthly = rows.find(({ type }) => type === 'month');
  expect(monthly?.licenceCode).toMatch(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/);
  expect(monthly?.expirationDate).not.toBeNull();
  const papers = (await api.ask<OrderRow[]>('GET', '/user/orders', { token })).obj;
  expect(papers.map(({ status }) => status).sort()).toEqual(['cancelled', 'success']);
});

it('counts a mailed password that nobody changed from when its account was made', async () => {
  const rows = await api.ctx.db.select().from(users);
  const [guest, ...others] = rows.filter(({ presetEndsAt }) => presetEndsAt !== null);
  expect([guest?.email, others]).toEqual(['guest@example.com', []]);
  const days = (Number(guest?.presetEndsAt) - Number(guest?.createdAt)) / 86_400_000;
  expect(days).toBe(7);
});

it('goes on working: what was pending is told of, what runs out is, and new things are bought', async () => {
  await addPeriodicJobs(api.ctx, handlers);
  const pending = (await api.ctx.db.select().from(orders)).filter(({ status }) => status === 'pending');
  expect(pending).toHaveLength(1);
  api.pass(80 * 86_400_000);
  await api.jobs(['light']);
  const now = await api.ctx.db.select().from(orders);
  expect(now.filter(({ status }) => status === 'pending')).toHaveLength(0);
  token = await signIn(api, 'owner@example.com', 'kept password');
  await buy(api, { productsId: 'duplicate-mac-ultimate' }, token);
  expect(await owned()).toHaveLength(3);
});

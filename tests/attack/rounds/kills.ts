import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { survivorsOf } from '../../repair/support/survivors';
import { makePdfWithoutTable } from '../../support/documents';
import { seeded } from '../../support/hostile-requests';
import { newFolder, removeFolder, type Site, startSite, stopAllSites, untilUp } from '../../support/process';
import { Client, eventually, type Member, pause } from '../client';
import { endSite } from '../site';

/** What the server said was done, by which it is held afterwards. */
type Promised = {
  /** How often it said so. */
  count: number;
  members: Member[];
  /** By the key that the buyer sent, so that the same purchase can be asked for again. */
  orders: Map<string, { orderId: string; buyer: Member; paid: boolean }>;
  repairs: string[];
};

/** Kills a site in the middle of what its visitors do, `rounds` times; nothing that it said was done may be lost or done twice. */
export async function killRounds(port: number, rounds: number, seed = 7): Promise<string> {
  const folder = newFolder();
  const random = seeded(seed);
  const promised: Promised = { count: 0, members: [], orders: new Map(), repairs: [] };
  const document = await makePdfWithoutTable();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const site = startSite(port, folder);
      await untilUp(site);
      const state = { isOver: false };
      const work = Promise.all([
        shop(site, promised, state),
        shop(site, promised, state),
        repair(site, promised, document, state),
      ]);
      // By what was done rather than by the clock: a slow machine is killed in the middle of as much.
      const enough = promised.count + 2 + Math.floor(random() * 8);
      assert(await eventually(async () => promised.count >= enough, 3000), 'Nobody gets anything done.');
      await pause(random() * 200);
      site.process.kill('SIGKILL');
      state.isOver = true;
      await site.exited;
      await work;
    }
    return await settle(port, folder, promised);
  } finally {
    stopAllSites();
    removeFolder(folder);
  }
}

type State = { isOver: boolean };

/** Joins, and buys until the site is killed. */
async function shop(site: Site, promised: Promised, state: State): Promise<void> {
  const { members, orders } = promised;
  const client = new Client(site.url);
  const joined = await client.join();
  if (!joined) return;
  members.push(joined);
  promised.count += 1;
  while (!state.isOver) {
    const key = randomUUID();
    const orderId = await client.order(joined.email, joined.token, key);
    if (!orderId) return;
    const order = { orderId, buyer: joined, paid: false };
    orders.set(key, order);
    promised.count += 1;
    const page = await client.payPage(orderId, joined.token);
    if (page) order.paid = await client.pay(page);
    if (order.paid) promised.count += 1;
  }
}

async function repair(site: Site, promised: Promised, bytes: Uint8Array, state: State): Promise<void> {
  const client = new Client(site.url);
  while (!state.isOver) {
    const taskId = await client.startRepair({ name: 'report.pdf', bytes, type: 18 });
    if (taskId) {
      promised.repairs.push(taskId);
      promised.count += 1;
    }
    await pause(150);
  }
}

/** Starts a last time and looks for all of it. */
async function settle(port: number, folder: string, { members, orders, repairs }: Promised): Promise<string> {
  const site = startSite(port, folder);
  await untilUp(site);
  const client = new Client(site.url);
  for (const { email, password } of members) {
    assert(await client.signIn(email, password), `The account ${email} is lost.`);
  }
  let paid = 0;
  for (const [key, { orderId, buyer, paid: isPaid }] of orders) {
    const again = await client.order(buyer.email, buyer.token, key);
    assert.equal(again, orderId, 'The same purchase made a second order.');
    if (!isPaid) continue;
    const told = await eventually(async () => (await client.statusOf(orderId, buyer.token)) === 'success');
    assert(told, `The order ${orderId} was paid and is ${await client.statusOf(orderId, buyer.token)}.`);
    paid += 1;
  }
  for (const buyer of members) {
    const own = [...orders.values()].filter((order) => order.buyer === buyer);
    const listed = (await client.orders(buyer.token)) ?? [];
    const ids = listed.map(({ orderId }) => orderId);
    assert.equal(new Set(ids).size, ids.length, 'An order is listed twice.');
    for (const { orderId, paid: isPaid } of own) if (isPaid) assert(ids.includes(orderId), `${orderId} is not listed.`);
    const known = new Set(own.map(({ orderId }) => orderId));
    assert(
      ids.every((id) => known.has(id)),
      'An order is listed that nobody made.',
    );
    const licences = (await client.ask<unknown[]>('GET', '/user/products/list', { token: buyer.token })).obj ?? [];
    assert.equal(licences.length, ids.length, 'Licences and paid orders differ.');
  }
  for (const taskId of repairs) {
    const { status, report } = await client.repaired(taskId);
    assert.equal(status, 'success', `A repair ended as ${status}.`);
    assert.equal(report?.verdict, 'repaired');
  }
  await endSite(site, folder);
  assert.deepEqual(await survivorsOf(folder), []);
  return `killed: ${members.length} accounts, ${orders.size} orders (${paid} paid) and ${repairs.length} repairs kept, none doubled`;
}

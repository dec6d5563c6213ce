import { countOf, type Fleet, startFleet } from './fleet';
import { until, Visitor } from './visitor';

/** Says a line of what was found. */
type Say = (line: string) => void;

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${what}: ${JSON.stringify(found)} where there should be ${JSON.stringify(wanted)}.`);
  }
}

/** What a person does, each step at another node. */
async function oneVisit(fleet: Fleet): Promise<void> {
  const visitor = new Visitor(fleet);
  await visitor.signIn();
  const check = await visitor.ask<{ email: string } | null>('GET', '/sso/check', { node: 1 });
  expectEqual('the session on the other node', check.obj?.email, visitor.email);
  const orderId = await visitor.buy();
  await visitor.untilPaid(orderId);
  const owned = await visitor.ask<unknown[]>('GET', '/user/products/list', { node: 1 });
  expectEqual('licences in the account', owned.obj.length, 1);
  await visitor.untilRepaired(await visitor.upload());
  await until('the mail of the purchase', async () => fleet.mails.some(({ to }) => to === visitor.email));
  await visitor.ask('GET', '/sso/logout', { node: 0 });
  expectEqual('the session after the end', (await visitor.ask('GET', '/sso/check', { node: 1 })).obj, null);
}

/** Limits and shares are counted in the database: a visitor who goes from node to node has no more of them. */
async function limitsHold(fleet: Fleet): Promise<void> {
  const visitor = new Visitor(fleet);
  const message = {
    name: 'Ann',
    email: visitor.email,
    subject: 'Hello',
    message: 'May I move my licence to a new PC?',
  };
  const sent: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    sent.push((await visitor.ask('POST', '/contact', { node: count % 2 === 0 ? 0 : 1, body: message })).status);
  }
  expectEqual('messages of one caller on two nodes', sent, [200, 200, 200, 200, 200, 429, 429]);
  const query = 'type=18&fileName=report.pdf&fileSize=1000';
  // The first answer names the visitor; it counts among those who have no name yet.
  await visitor.ask('GET', `/oss/signature?${query}`);
  const asked = await Promise.all(
    Array.from({ length: 44 }, (_, count) =>
      visitor.ask('GET', `/oss/signature?${query}`, { node: count % 2 === 0 ? 0 : 1 }),
    ),
  );
  const given = asked.filter(({ status }) => status === 200).length;
  expectEqual('uploads that one visitor may begin at once on two nodes', given, 40);
}

/** Everything goes on while each process, and the database, is killed in turn. */
async function killEachInTurn(
  fleet: Fleet,
  say: Say,
  everyone: boolean,
): Promise<{ orders: string[]; repairs: number }> {
  const visitor = new Visitor(fleet);
  const orders: string[] = [];
  let repairs = 0;
  const steps: [string, () => Promise<void>, () => Promise<void>][] = [
    ...fleet.workers.map((one): [string, () => Promise<void>, () => Promise<void>] => [one.name, one.kill, one.start]),
    ...fleet.web.map((one): [string, () => Promise<void>, () => Promise<void>] => [one.name, one.kill, one.start]),
    ['the database', () => fleet.postgres.crash(), async () => undefined],
  ];
  for (const [name, kill, start] of everyone ? steps : steps.filter(([, ,], index) => index === 0 || index === 2)) {
    const begun = Date.now();
    // Under way when it happens: purchases, and repairs of which one or two have just been taken up.
    const tasks = await Promise.all([visitor.upload(), visitor.upload()]);
    const buying = [visitor.buy(), visitor.buy()];
    await kill();
    const meanwhile = [visitor.buy(), visitor.buy()];
    const made = await Promise.all([...buying, ...meanwhile]);
    for (const orderId of made) await visitor.untilPaid(orderId);
    for (const taskId of tasks) await visitor.untilRepaired(taskId);
    orders.push(...made);
    repairs += tasks.length;
    await start();
    say(`${name} was killed: 4 purchases and 2 repairs came through in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  }
  return { orders, repairs };
}

/** Nothing lost, nothing double: told by the tables, and by what went out. */
async function settle(fleet: Fleet, orders: number, repairs: number): Promise<void> {
  await until('the queue to be empty', async () => {
    const due = "jobs where status <> 'dead' and unique_key is null or kind like 'repair.%'";
    return (await countOf(fleet, due)) === 0;
  });
  expectEqual('orders', await countOf(fleet, 'orders'), orders);
  expectEqual('orders that are paid', await countOf(fleet, "orders where status = 'success'"), orders);
  expectEqual('licences', await countOf(fleet, 'subscriptions'), orders);
  expectEqual(
    'licences of different orders',
    await countOf(fleet, '(select distinct order_id from subscriptions) as s'),
    orders,
  );
  expectEqual('changes to paid', await countOf(fleet, `state_history where "to" = 'success'`), orders);
  expectEqual('jobs given up', await countOf(fleet, "jobs where status = 'dead'"), 0);
  expectEqual('repairs that ended', await countOf(fleet, "repair_tasks where status = 'success'"), repairs);
  expectEqual('repairs that were counted', await countOf(fleet, 'repair_counts, generate_series(1, repairs)'), repairs);
  const licences = fleet.mails.filter(({ subject }) => subject.startsWith('Your licence for'));
  // A mail whose sending was cut off after the server had it goes out again under the same message id (lib/server/mail/send-mail.ts).
  const ids = new Set(licences.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]));
  expectEqual('mails with a licence', ids.size, orders);
}

/**
 * Goes through all of it on real parts. `short` kills a worker and a web node only. Returns false where PostgreSQL is not installed.
 */
export async function tryNodes(say: Say, short: boolean): Promise<boolean> {
  const fleet = await startFleet();
  if (!fleet) return false;
  try {
    say('two web nodes, two workers, PostgreSQL, S3 behind a checker, a mail server and a sign-in provider are up');
    await oneVisit(fleet);
    say('signed in on one node, bought on the other, uploaded through one, repaired on a worker');
    const { orders, repairs } = await killEachInTurn(fleet, say, !short);
    await settle(fleet, orders.length + 1, repairs + 1);
    say(`${orders.length + 1} purchases and ${repairs + 1} repairs: nothing lost, nothing double`);
    await limitsHold(fleet);
    say('limits and shares hold across nodes');
    return true;
  } catch (error) {
    const members = [...fleet.web, ...fleet.workers];
    say(members.map((one) => `— ${one.name}\n${one.output().slice(-3000)}`).join('\n'));
    throw error;
  } finally {
    await fleet.stop();
  }
}

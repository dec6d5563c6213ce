import assert from 'node:assert/strict';
import { makePdfWithoutTable } from '../../support/documents';
import type { Site } from '../../support/process';
import { type Answered, Client, type Member } from '../client';

/** Erases accounts while all that an account can do is under way: each call is answered, and of the account nothing is left. */
export async function erasureRaces(site: Site, rounds: number): Promise<string> {
  const bytes = await makePdfWithoutTable();
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const client = new Client(site.url);
    const member = await client.join();
    assert(member, 'Nobody can join.');
    const open = await client.order(member.email, member.token);
    const page = open && (await client.payPage(open, member.token));
    assert(page, 'Nobody can order.');
    const { token, password } = member;
    const erase = () => client.ask('DELETE', '/user', { token, body: { currentPassword: password } });
    const profile = { firstName: 'A', lastName: 'B', address: 'C', country: 'Germany' };
    const newPassword = { currentPassword: password, newPassword: 'second-secret' };
    const [first, second, ...others] = await Promise.all([
      erase(),
      erase(),
      client.ask('PUT', '/user/info', { token, body: profile }),
      client.ask('PUT', '/user/password/reset', { token, body: newPassword }),
      client.ask('POST', '/user/export', { token }),
      client.ask('GET', '/user/orders', { token }),
      client.ask('POST', `/sandbox/checkout/${page}`, { body: { cardNumber: '4242 4242 4242 4242' } }),
      client.ask('POST', '/contact', { body: { email: member.email, message: 'Erase me.' } }),
      client
        .startRepair({ name: 'a.pdf', bytes, type: 18 })
        .then((task) => ({ ...neutral, success: task ? '1' : '0' })),
    ]);
    for (const answer of [first, second, ...others]) assertAnswered(answer);
    refused += await finish(client, member, [first, second]);
  }
  return `${rounds} accounts erased in the middle of all else, ${refused} refused for a payment or a password that came first`;
}

const neutral: Answered<unknown> = { status: 200, success: '1', msg: '', obj: null };

function assertAnswered({ status, msg }: Answered<unknown>): void {
  assert(status >= 200 && status < 500, `A call in a race gives ${status} ${msg}`);
}

/** One of the two erasures won, or another call came first and both were refused in words; then it is done again in peace. */
async function finish(client: Client, { email, token, password }: Member, tries: Answered<unknown>[]): Promise<number> {
  const won = tries.filter(({ success }) => success === '1').length;
  assert(won <= 1, 'An account was erased twice.');
  if (won === 0) {
    for (const { msg } of tries) assert(msg.length > 10, 'An erasure is refused without words.');
    const fresh = (await client.signIn(email, 'second-secret')) ?? (await client.signIn(email, password)) ?? token;
    for (const currentPassword of ['second-secret', password]) {
      await client.ask('DELETE', '/user', { token: fresh, body: { currentPassword } });
    }
  }
  assert.equal(await client.signIn(email, password), null, 'Who was erased signs in.');
  assert.equal(await client.signIn(email, 'second-secret'), null, 'Who was erased signs in with the new password.');
  const check = await client.ask('GET', '/user/info', { token });
  assert.equal(check.success, '10009', 'The token of an erased account works.');
  // The address is free again, and whoever takes it finds an empty account.
  const next = await client.join(email);
  assert(next, 'The address of an erased account can’t be taken again.');
  assert.deepEqual(await client.orders(next.token), []);
  return won === 0 ? 1 : 0;
}

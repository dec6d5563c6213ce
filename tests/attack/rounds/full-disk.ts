import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makePdfWithoutTable } from '../../support/documents';
import { newFolder, removeFolder, startSite, stopAllSites, untilUp } from '../../support/process';
import { Client, eventually } from '../client';

/** Room of the small file system, in MiB: the database, and a little more than the server keeps free for itself. */
const SIZE_MB = 320;

/** Puts a file system of its own over the data folder, for the program that follows. */
const onSmallDisk = (folder: string) => [
  'unshare',
  '-Urm',
  'sh',
  '-c',
  `mount -t tmpfs -o mode=700,size=${SIZE_MB}m tmpfs "${folder}" && exec "$@"`,
  'sh',
];

/** Whether this machine lets us mount; where it does not, the round can't be run. */
export function mayMount(): boolean {
  const folder = newFolder();
  const [command = '', ...args] = onSmallDisk(folder);
  const { status } = spawnSync(command, [...args, 'true'], { stdio: 'ignore' });
  removeFolder(folder);
  return status === 0;
}

/** Fills a file system to its last byte; what it returns makes room again. */
function fill(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  const file = openSync(ballast, 'w');
  for (let piece = 1 << 20; piece >= 1; piece >>= 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(piece, 1));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
  closeSync(file);
  return () => rmSync(ballast);
}

/** Lets the disk run full under a running site: visitors hear of it in words, nothing that was promised is lost, and it goes on when there is room. */
export async function fullDisk(port: number): Promise<string> {
  const folder = newFolder();
  try {
    const site = startSite(port, folder, {}, onSmallDisk(folder));
    await untilUp(site);
    const client = new Client(site.url);
    const member = await client.join();
    assert(member, 'Nobody could join before the disk was full.');
    const bought = await client.order(member.email, member.token);
    const page = bought && (await client.payPage(bought, member.token));
    assert(page && (await client.pay(page)));
    assert(await eventually(async () => (await client.statusOf(bought, member.token)) === 'success'));
    const bytes = await makePdfWithoutTable();
    const repaired = await client.startRepair({ name: 'a.pdf', bytes, type: 18 });
    assert(repaired && (await client.repaired(repaired)).status === 'success');

    // The folder as the site sees it, through its process.
    const seen = `/proc/${site.process.pid}/root${folder}`;
    const free = statfsSync(seen).bfree;
    const makeRoom = fill(seen);
    const form = await client.askForForm({ name: 'b.pdf', bytes, type: 18 });
    assert.equal(form.obj, null, 'A form is given out on a full disk.');
    assert.match(form.msg, /disk of this server is full/);
    const answers = await Promise.all([
      client.ask('POST', '/contact', { body: { email: member.email, message: 'A question to a full disk.' } }),
      client.ask('POST', '/sso/code', { body: { email: member.email } }),
      client.ask('GET', '/user/info', { token: member.token }),
      client.ask('GET', '/products/list'),
    ]);
    for (const { status, msg } of answers)
      assert(status > 0 && msg !== 'no answer', 'A full disk leaves a call without an answer.');
    const health = await fetch(`${site.url}/api/v1/health`);
    assert.equal(health.status, 503, 'Health does not notice a full disk.');
    assert.match(await health.text(), /disk/i);

    makeRoom();
    assert(
      await eventually(async () => (await fetch(`${site.url}/api/v1/health`)).status === 200),
      'The site does not get well when there is room again.',
    );
    assert.deepEqual(
      (await client.orders(member.token))?.map(({ orderId }) => orderId),
      [bought],
    );
    const again = await client.startRepair({ name: 'c.pdf', bytes, type: 18 });
    assert(again && (await client.repaired(again)).status === 'success', 'No repair after the disk was full.');
    assert(await client.signIn(member.email, member.password), 'The account is lost.');
    site.process.kill('SIGINT');
    await site.exited;
    return `a disk of ${SIZE_MB} MiB (${free} blocks left) filled to the last byte: said in words, nothing lost`;
  } finally {
    stopAllSites();
    removeFolder(folder);
  }
}

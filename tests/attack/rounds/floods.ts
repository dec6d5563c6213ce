import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { tryOut } from '../../support/hostile-requests';
import type { Site } from '../../support/process';
import { eventually, pause } from '../client';
import { portOf } from '../site';

const AT_ONCE = 40;
const upgrade =
  'GET /_next/webpack-hmr HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n';

/** Asks to change the protocol, again and again: refused each time, and no connection stays open. */
export async function upgradeFlood(site: Site, count: number): Promise<string> {
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const all = Array.from({ length: Math.min(AT_ONCE, count - sent) }, () =>
      tryOut(portOf(site), Buffer.from(upgrade)),
    );
    for (const { status } of await Promise.all(all)) assert.equal(status, 400);
  }
  // Half of these leave before the answer, half wait for it and never close.
  for (let left = 0; left < 100; left += 1) {
    const socket = hold(site, upgrade);
    if (left % 2 === 0) socket.once('connect', () => socket.destroy());
  }
  assert(await isAlive(site), 'The site answers nobody any more.');
  return `${count + 100} upgrades refused`;
}

/** What a slow client does with a connection. */
type Slow = { name: string; begin: string; drip: string | null };

const slow: readonly Slow[] = [
  { name: 'silent', begin: '', drip: null },
  { name: 'slow heads', begin: 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ', drip: 'a' },
  {
    name: 'slow bodies',
    begin:
      'POST /api/v1/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n{',
    drip: ' ',
  },
  {
    name: 'slow uploads',
    begin:
      'POST /api/v1/oss/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000000\r\n\r\n--b\r\n',
    drip: '-',
  },
  { name: 'readers that do not read', begin: 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', drip: null },
];

/** Holds connections open as slowly as can be, `each` of every kind: others are answered meanwhile, and the slow ones end by themselves. */
export async function slowFlood(site: Site, each: number): Promise<string> {
  const held: { socket: Socket; drip: string | null }[] = [];
  for (const { begin, drip } of slow) {
    for (let count = 0; count < each; count += 1) {
      const socket = hold(site, begin);
      if (drip === null) socket.pause();
      held.push({ socket, drip });
    }
    await pause(20);
    assert(await isAlive(site), 'The site answers nobody while connections are held.');
  }
  const dripping = setInterval(() => {
    for (const { socket, drip } of held) if (drip !== null && socket.writable) socket.write(drip);
  }, 200);
  try {
    // One that does not read learns of its end only when it reads.
    const isOver = () => held.every(({ socket, drip }) => drip === null || socket.destroyed || socket.readableEnded);
    const ended = await eventually(async () => {
      assert(await isAlive(site), 'The site answers nobody while connections are held.');
      return isOver();
    }, 1200);
    assert(ended, `${held.filter(({ socket }) => !socket.destroyed).length} slow connections are kept for ever.`);
  } finally {
    clearInterval(dripping);
    for (const { socket } of held) socket.destroy();
  }
  return `${held.length} slow connections: ${slow.map(({ name }) => `${each} ${name}`).join(', ')}`;
}

function hold(site: Site, begin: string): Socket {
  const socket = connect({ port: portOf(site), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  socket.resume();
  if (begin) socket.write(begin);
  return socket;
}

async function isAlive(site: Site): Promise<boolean> {
  return (
    (
      await tryOut(
        portOf(site),
        Buffer.from('GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
      )
    ).status === 200
  );
}

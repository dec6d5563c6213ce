import assert from 'node:assert/strict';
import type { Site } from '../../support/process';
import { Client } from '../client';

/** Takes away whoever reads a site's log, and has it write lines: it works on. */
export async function lostLog(site: Site, lines: number): Promise<string> {
  site.process.stdout?.destroy();
  site.process.stderr?.destroy();
  const client = new Client(site.url);
  for (let count = 0; count < lines; count += 1) {
    // A refused ticket is a line of the log.
    const { status } = await client.ask('GET', `/sso/login?ticket=${count}`);
    assert(status >= 400 && status < 500, `A ticket gives ${status} when nobody reads the log.`);
  }
  assert.equal((await client.ask('GET', '/health')).status, 200);
  return `${lines} lines of a log that nobody reads`;
}

import assert from 'node:assert/strict';
import { hostileRequest, seeded, tryOut } from '../../support/hostile-requests';
import type { Site } from '../../support/process';
import { portOf } from '../site';

const AT_ONCE = 40;

/** Sends hostile requests of a seed: each gets an answer that is no fault of ours, under the policy headers. */
export async function hostileRequests(site: Site, count: number, seed = 20_261_122): Promise<string> {
  const random = seeded(seed);
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const requests = Array.from({ length: Math.min(AT_ONCE, count - sent) }, () => hostileRequest(random));
    const tried = await Promise.all(requests.map((bytes) => tryOut(portOf(site), bytes)));
    for (const { bytes, status, head } of tried) {
      const request = JSON.stringify(bytes.subarray(0, 300).toString('latin1'));
      assert(status >= 200 && status < 500, `${status} for ${request}`);
      assert.match(head, /^content-security-policy: /im, request);
      assert.match(head, /^x-content-type-options: nosniff\r?$/im, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  const told = [...statuses].sort(([left], [right]) => left - right).map(([status, times]) => `${times} × ${status}`);
  return `${count} hostile requests: ${told.join(', ')}`;
}

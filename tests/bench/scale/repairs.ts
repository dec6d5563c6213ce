import { type Fleet, startFleet } from '../../nodes/fleet';
import { type Damaged, until, Visitor } from '../../nodes/visitor';
import { ask } from '../../support/postgres';

/** Repairs an hour of one file, again and again, by so many workers. */
export type RepairRate = { family: string; workers: number; perHour: number };

const settled = "select count(*)::int as n from repair_tasks where status in ('success', 'failure')";

async function timeOf(fleet: Fleet, file: Damaged, count: number): Promise<number> {
  const visitor = new Visitor(fleet);
  const done = async () => (await ask<{ n: number }>(fleet.database, settled))[0]?.n ?? 0;
  const before = await done();
  const uploads = Array.from({ length: count }, () => visitor.upload(file));
  const begun = performance.now();
  await Promise.all(uploads);
  await until('the repairs to end', async () => (await done()) - before >= count);
  return performance.now() - begun;
}

/** Measures repairs with one web node and 1, 2 and 4 workers, each with a slot for quick repairs and one for long ones. */
export async function measureRepairs(
  files: readonly { family: string; file: Damaged }[],
  workerCounts: readonly number[],
  say: (line: string) => void,
): Promise<RepairRate[]> {
  const found: RepairRate[] = [];
  for (const workers of workerCounts) {
    const more = { RATE_LIMITS: 'off', UPLOAD_TASKS_PER_CLIENT: '10000', UPLOAD_TASKS_PER_ADDRESS: '10000' };
    const fleet = await startFleet(more, { web: 1, workers, postgres: [], store: false });
    if (!fleet) return [];
    try {
      for (const { family, file } of files) {
        // The first ones bring programs and code into memory.
        await timeOf(fleet, file, workers);
        const count = file.type === 17 ? 4 : 16;
        const milliseconds = await timeOf(fleet, file, count);
        found.push({ family, workers, perHour: Math.round((count * 3_600_000) / milliseconds) });
        say(`${family}, ${workers} workers: ${count} in ${(milliseconds / 1000).toFixed(1)} s`);
      }
    } finally {
      await fleet.stop();
    }
  }
  return found;
}

import fs from 'node:fs';

/** Every process that a process started, itself among them. */
function familyOf(pid: number): number[] {
  const parents = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return [];
      }
    });
  const family = [pid];
  for (const member of family) {
    for (const each of parents) if (each.parent === member && !family.includes(each.pid)) family.push(each.pid);
  }
  return family;
}

/** What a process and its children hold, in megabytes: what is theirs alone or their share of it (PSS), and the whole (RSS). */
export function memoryOf(pid: number): { pss: number; rss: number } {
  let [pss, rss] = [0, 0];
  for (const member of familyOf(pid)) {
    try {
      const rollup = fs.readFileSync(`/proc/${member}/smaps_rollup`, 'utf8');
      pss += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
      rss += Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // It has ended meanwhile, or this system has no such files.
    }
  }
  return { pss: Math.round(pss / 1024), rss: Math.round(rss / 1024) };
}

/** Microseconds of processor that a process and its children have used; clocks of 100 a second, as Linux counts them. */
export function cpuOf(pid: number): number {
  let ticks = 0;
  for (const member of familyOf(pid)) {
    try {
      const fields = fs.readFileSync(`/proc/${member}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * 10_000;
}

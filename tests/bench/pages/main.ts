import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../../lib/cli/steps/browser.mjs';
import { routes } from '../../../lib/content/routes';
import { newFolder, removeFolder, startSite, stopAllSites, untilUp } from '../../support/process';
import { startFloor } from './floor';
import { type Audit, audit } from './lighthouse';
import { type Tap, timeTap, type Weight, weigh } from './touch';

/**
 * `npm run bench:pages`: pages beside a bare page of the same framework, in one run, turn by turn. Only the ratios inside one run count.
 * `-- kinds` measures one page of each kind, `-- taps` presses and bytes alone, `-- 3` sets the runs of the kinds (7).
 */
const words = process.argv.slice(2);
const kindRuns = Number(words.find((word) => /^\d+$/.test(word)) ?? 7);
const otherRuns = 3;
/** Bytes are the same each time; only how long tasks take is not. */
const weighRuns = 1;
const isKindsOnly = words.includes('kinds');
const isTapsOnly = words.includes('taps');
const say = (line: string) => console.error(line);

const kinds = [
  '/',
  '/win-data-recovery',
  '/data-recovery-store',
  '/how-to/fix-video-playback-errors',
  '/faq',
  '/privacy-policy',
];
const screens = ['/login', '/video-repair-online', '/order-lookup'];
const taps: Tap[] = [
  { what: 'menu', path: '/', press: 'header button[aria-controls]' },
  { what: 'tab', path: '/win-data-recovery', press: '[role=tab][aria-selected=false]' },
  { what: 'accordion', path: '/faq', press: 'main summary' },
  { what: 'Buy', path: '/data-recovery-store', press: 'main button:has-text("Buy")' },
];

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The middle of several runs, each figure for itself. */
const middle = (runs: Audit[]) => ({
  scores: [0, 1, 2, 3].map((at) => median(runs.map(({ scores }) => scores[at] ?? 0))),
  fcp: median(runs.map(({ fcp }) => fcp)),
  lcp: median(runs.map(({ lcp }) => lcp)),
  tbt: median(runs.map(({ tbt }) => tbt)),
  cls: Math.max(...runs.map(({ cls }) => cls)),
  faults: [...new Set(runs.flatMap(({ faults }) => faults))],
});

/** Lighthouse now and then loses the trace of a load; a page that does not get through three times is a fault. */
async function audited(url: string): Promise<Audit> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await audit(url, browserPath ?? '');
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

const browserPath = await findBrowser();
if (!browserPath) throw new Error('No Chromium was found.');
const folder = newFolder();
const floor = await startFloor(Number(process.env.MENDARA_TEST_PORT ?? 3217) + 1);
const site = startSite(Number(process.env.MENDARA_TEST_PORT ?? 3217), folder, {
  NEXT_DIST_DIR: process.env.NEXT_DIST_DIR ?? '.next',
});
const lines: string[] = [];
const print = (line: string) => {
  lines.push(line);
  console.log(line);
};

async function measurePaints(): Promise<void> {
  const pages = [
    { name: 'floor', url: floor.url, runs: kindRuns },
    ...[...kinds, ...screens].map((path) => ({ name: path, url: site.url + path, runs: kindRuns })),
    ...routes
      .filter(({ path, indexed }) => !isKindsOnly && indexed && ![...kinds, ...screens].includes(path))
      .map(({ path }) => ({ name: path, url: site.url + path, runs: otherRuns })),
  ];
  const runs = new Map<string, Audit[]>(pages.map(({ name }) => [name, []]));
  for (let round = 0; round < kindRuns; round += 1) {
    for (const { name, url, runs: wanted } of pages) {
      if (round >= wanted) continue;
      const found = await audited(url);
      runs.get(name)?.push(found);
      say(`${round + 1} ${name}: ${found.scores.join(', ')}; ${Math.round(found.lcp)} ms`);
    }
  }
  print(
    '| page | Lighthouse: speed, access, practice, search | first paint, ms | largest paint, ms | of the floor | blocked, ms | shift | not full marks |',
  );
  print('|---|---|---|---|---|---|---|---|');
  const base = middle(runs.get('floor') ?? []);
  for (const { name } of pages) {
    const { scores, fcp, lcp, tbt, cls, faults } = middle(runs.get(name) ?? []);
    print(
      `| ${name} | ${scores.join(', ')} | ${fcp.toFixed(0)} | ${lcp.toFixed(0)} | ${(lcp / base.lcp).toFixed(2)} | ${tbt.toFixed(0)} | ${cls.toFixed(3)} | ${faults.join(', ')} |`,
    );
  }
  print('');
}

async function measureTouch(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: browserPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  const times = new Map<string, number[]>();
  const weights = new Map<string, Weight[]>();
  const keep = <T>(map: Map<string, T[]>, key: string, value: T) => map.set(key, [...(map.get(key) ?? []), value]);
  try {
    for (let round = 0; round < kindRuns; round += 1) {
      keep(times, 'floor alive', await timeTap(browser, floor.url, 'button', false));
      for (const { what, path, press } of taps) {
        for (const when of ['alive', 'early'])
          keep(times, `${what} ${when}`, await timeTap(browser, site.url + path, press, when === 'early'));
      }
      say(`presses, round ${round + 1} done`);
    }
    for (let round = 0; round < weighRuns; round += 1) {
      keep(weights, 'floor', await weigh(browser, floor.url));
      for (const path of [...kinds, ...screens]) keep(weights, path, await weigh(browser, site.url + path));
      say(`bytes, round ${round + 1} done`);
    }
  } finally {
    await browser.close();
  }
  print('| press to paint at a quarter of the processor, ms | alive | before the framework |');
  print('|---|---|---|');
  const at = (key: string) => (times.has(key) ? median(times.get(key) ?? []).toFixed(0) : '');
  for (const what of ['floor', ...taps.map((tap) => tap.what)])
    print(`| ${what} | ${at(`${what} alive`)} | ${at(`${what} early`)} |`);
  print(
    '\n| page, untouched for 10 s | without scripts, kB | scripts, kB | all, kB | requests | longest task at 4x, ms | over 50 ms in all |',
  );
  print('|---|---|---|---|---|---|---|');
  const kB = (bytes: number) => (bytes / 1000).toFixed(0);
  for (const [name, found] of weights) {
    const of = (key: keyof Weight) => median(found.map((weight) => weight[key]));
    print(
      `| ${name} | ${kB(of('first'))} | ${kB(of('script'))} | ${kB(of('all'))} | ${of('requests')} | ${of('longest').toFixed(0)} | ${of('blocked').toFixed(0)} |`,
    );
  }
}

try {
  await untilUp(site, 600_000);
  const [core] = os.cpus();
  print(
    `${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} cores (${core?.model.trim() ?? 'unknown'}), load before ${os.loadavg()[0]?.toFixed(2)}, ${await chromium
      .launch({ executablePath: browserPath, args: ['--no-sandbox'] })
      .then(async (browser) => {
        const version = browser.version();
        await browser.close();
        return `Chromium ${version}`;
      })}\n`,
  );
  if (!isTapsOnly) await measurePaints();
  await measureTouch();
  mkdirSync('test-results', { recursive: true });
  writeFileSync('test-results/pages.md', `${lines.join('\n')}\n`);
} finally {
  await floor.stop();
  stopAllSites();
  removeFolder(folder);
}
process.exit(0);

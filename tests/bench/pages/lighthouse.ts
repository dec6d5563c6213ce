import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The newest that runs on Node 20. Two hundred packages for one bench: npm brings them when it is asked for, and not before. */
const version = '12.8.2';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** What one run of Lighthouse (mobile, its own simulated 4G and 4x slower processor) says; times in ms, scores of 100. */
export type Audit = { scores: number[]; lcp: number; fcp: number; tbt: number; cls: number; faults: string[] };

type Result = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; numericValue?: number; scoreDisplayMode: string; title: string }>;
};

function readResult({ categories: groups, audits }: Result): Audit {
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const faults = categories
    .slice(1)
    .flatMap((id) =>
      (groups[id]?.auditRefs ?? [])
        .filter(({ id: audit, weight }) => weight > 0 && (audits[audit]?.score ?? 1) < 1)
        .map(({ id: audit }) => audit),
    );
  return {
    scores: categories.map((id) => Math.round((groups[id]?.score ?? 0) * 100)),
    lcp: value('largest-contentful-paint'),
    fcp: value('first-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    faults,
  };
}

/** Runs Lighthouse on one address. Throws when it ends without a result. */
export async function audit(url: string, browser: string): Promise<Audit> {
  const folder = mkdtempSync(join(tmpdir(), 'mendara-lighthouse-'));
  try {
    const file = join(folder, 'result.json');
    const flags = '--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync';
    const child = spawn(
      'npx',
      [
        '--yes',
        `lighthouse@${version}`,
        url,
        '--quiet',
        '--output=json',
        `--output-path=${file}`,
        `--only-categories=${categories.join(',')}`,
        `--chrome-flags=${flags}`,
      ],
      { env: { ...process.env, CHROME_PATH: browser }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-2000);
    });
    const code = await new Promise((done) => child.once('exit', done));
    if (code !== 0) throw new Error(`Lighthouse ended with ${code} on ${url}: ${said}`);
    return readResult(JSON.parse(readFileSync(file, 'utf8')) as Result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Stands in for the repair engine's process: what it does is told by the file's name. Same protocol as the real one.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const digest = (bytes) => ({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });

const report = (bytes, change) => ({
  engineVersion: 'test',
  verdict: 'repaired',
  format: 'pdf',
  summary: 'Repaired by a stand-in.',
  notes: [],
  found: [{ kind: 'end', detail: 'The end was missing.', offset: 1 }],
  steps: [],
  kept: [{ unit: 'pages', count: 1 }],
  rebuilt: [],
  lost: [],
  input: digest(bytes),
  output: null,
  durationMs: 1,
  ...change,
});

/** Writes the result and reports it, as the engine does for every verdict but `unrepairable`, a healthy file among them. */
function handOut(job, bytes, content, change) {
  writeFileSync(job.outputPath, content);
  finish(report(bytes, { ...change, output: digest(Buffer.from(content)) }));
}

const finish = (value) => process.stdout.write(JSON.stringify({ report: value }), () => process.exit(0));

function work(job) {
  const bytes = readFileSync(job.inputPath);
  const has = (word) => job.fileName.includes(word);
  if (has('healthy')) return handOut(job, bytes, bytes, { verdict: 'healthy', found: [] });
  if (has('hopeless'))
    return finish(report(bytes, { verdict: 'unrepairable', format: null, summary: 'Nothing is left.' }));
  if (has('crash')) process.exit(9);
  if (has('indexless')) {
    const sample = job.samplePath ? String(readFileSync(job.samplePath)) : '';
    const brought = sample.includes('same camera')
      ? `${bytes} with ${sample}`
      : has('picture') && !sample
        ? bytes
        : null;
    if (brought === null)
      return finish(report(bytes, { verdict: 'unrepairable', format: 'mp4', wantsSample: true, summary: 'No index.' }));
    const isAll = sample !== '';
    return handOut(
      job,
      bytes,
      brought,
      isAll ? { format: 'mp4' } : { format: 'mp4', verdict: 'partly', wantsSample: true },
    );
  }
  if (has('lacking')) {
    process.stderr.write('Error: ENOSPC: no space left on device, write\n', () => process.exit(1));
    return;
  }
  if (has('memory')) {
    process.stderr.write('FATAL ERROR: JavaScript heap out of memory\n', () => process.exit(134));
    return;
  }
  if (has('endless')) {
    setInterval(() => undefined, 1000);
    return;
  }
  if (has('once')) {
    // Endless the first time, quick the second.
    const mark = `${job.inputPath}.mark`;
    if (!existsSync(mark)) {
      writeFileSync(mark, String(process.pid));
      setInterval(() => undefined, 1000);
      return;
    }
  }
  handOut(job, bytes, `${bytes} repaired`);
}

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => work(JSON.parse(line)));
lines.once('close', () => process.exit(3));

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeSandbox, repairSandbox } from '@/lib/server/repairs/sandbox';
import { makePdfWithoutTable } from '../support/documents';
import { startApi } from './harness/api';
import { repair } from './harness/files';

type Health = { status: string; database: string; sandbox: { isolation: string; missing: string[] } | null };

/** Bundles lie inside the project, so that they find its packages. */
const bundles = fs.mkdtempSync(path.resolve('node_modules', '.mendara-sandbox-'));
const previous = process.env.MENDARA_BUNDLE_DIR;

beforeAll(async () => {
  // The command's parts in plain JavaScript have no types of their own.
  const step = new URL('../../lib/cli/steps/build.mjs', import.meta.url).pathname;
  const { bundleServerCode } = (await import(step)) as { bundleServerCode: (to: string) => Promise<void> };
  await bundleServerCode(bundles);
  process.env.MENDARA_BUNDLE_DIR = bundles;
});
afterAll(() => {
  if (previous === undefined) delete process.env.MENDARA_BUNDLE_DIR;
  else process.env.MENDARA_BUNDLE_DIR = previous;
  fs.rmSync(bundles, { recursive: true, force: true });
});

describe('a repair by the engine itself', () => {
  it('works shut in as well as without walls, and the health tells which', { timeout: 120_000 }, async () => {
    const bytes = await makePdfWithoutTable();
    for (const mode of ['auto', 'off']) {
      const api = await startApi({ REPAIR_SANDBOX: mode });
      expect((await api.ask<Health>('GET', '/health')).obj).toMatchObject({
        status: 'ok',
        database: 'embedded',
        sandbox: null,
      });
      const task = await repair(api, { name: 'report.pdf', bytes });
      expect(task.report?.verdict).toBe('repaired');
      const file = await api.send('GET', `/repair/tasks/${task.taskId}/file`);
      expect(
        Buffer.from(await file.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      const [result = ''] = fs.readdirSync(path.join(api.dataDir, 'results'));
      const found = fs.statSync(path.join(api.dataDir, 'results', result));
      expect([found.uid, found.mode & 0o777]).toEqual([process.getuid?.(), 0o600]);
      expect(fs.readdirSync(path.join(api.dataDir, 'work'))).toEqual([]);
      const sandbox = await repairSandbox(api.ctx.env);
      const { isolation, missing } = sandbox;
      if (mode === 'off') expect(isolation).toBe('none');
      expect((await api.ask<Health>('GET', '/health')).obj.sandbox).toEqual({ isolation, missing });
      const line = describeSandbox(sandbox, api.ctx.env);
      if (isolation === 'none') {
        expect(line).toMatch(/^Repairs: not shut in \(.+\); what a hostile file may reach or lacks a limit: files, /);
      } else expect(line).toMatch(new RegExp(`^Repairs: shut in by ${isolation}`));
      await api.close();
    }
  });

  it('is not started where walls are required and cannot be had', async () => {
    const empty = fs.mkdtempSync(path.join(bundles, 'empty-'));
    process.env.MENDARA_BUNDLE_DIR = empty;
    const api = await startApi({ REPAIR_SANDBOX: 'require' });
    try {
      await expect(repairSandbox(api.ctx.env)).rejects.toThrow(
        /^No repair is started, as REPAIR_SANDBOX=require asks for walls\. This machine cannot shut repairs in: .+\.$/,
      );
      const task = await repair(api, { name: 'report.pdf', bytes: await makePdfWithoutTable() });
      expect(task.status).toBe('waiting');
      expect(fs.readdirSync(path.join(api.dataDir, 'results'))).toEqual([]);
    } finally {
      process.env.MENDARA_BUNDLE_DIR = bundles;
      await api.close();
    }
  });
});

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { makePdfWithoutTable } from '../support/documents';
import { newFolder, removeFolder, startSite, stopAllSites, untilUp } from '../support/process';

type Task = { status: string; report: { verdict: string } | null; downloadUrl: string | null };

async function uploadAndStart(url: string, bytes: Buffer): Promise<string> {
  const query = `type=18&fileName=report.pdf&fileSize=${bytes.length}`;
  const { obj } = await (await fetch(`${url}/api/v1/oss/signature?${query}`)).json();
  const form = new FormData();
  for (const [name, value] of Object.entries(obj.upload.fields as Record<string, string>)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'report.pdf');
  const sent = await fetch(new URL(obj.upload.url, url), { method: 'POST', body: form });
  expect(sent.ok).toBe(true);
  const started = await (await fetch(`${url}/api/v1/repair/tasks/${obj.taskId}`, { method: 'POST' })).json();
  expect(started.success).toBe('1');
  return obj.taskId;
}

async function readTask(url: string, taskId: string): Promise<Task> {
  return (await (await fetch(`${url}/api/v1/repair/tasks/${taskId}`)).json()).obj;
}

test.describe.configure({ mode: 'serial' });
test.afterEach(stopAllSites);

test('starts again without doing again what is done, says what it runs on, refuses a second one, stops in order on Ctrl-C', async () => {
  test.setTimeout(420_000);
  const folder = newFolder();
  const first = startSite(3401, folder);
  await untilUp(first);
  first.process.kill('SIGINT');
  expect(await first.exited).toMatchObject({ code: 0 });

  // Made once, by a child that takes its time: a later start leaves it as it is.
  const madeAt = statSync(join(folder, 'database', 'cluster', 'PG_VERSION')).mtimeMs;
  const again = startSite(3401, folder);
  await untilUp(again);
  expect(again.output()).not.toMatch(/Installing|Building/);
  expect(statSync(join(folder, 'database', 'cluster', 'PG_VERSION')).mtimeMs).toBe(madeAt);
  expect(again.output()).toContain(folder);
  expect(again.output()).toMatch(/^Repairs: (shut in by|not shut in \()/m);

  const samePort = startSite(3401, newFolder());
  expect((await samePort.exited).code).toBe(1);
  expect(samePort.output()).toMatch(/Port 3401 is already in use/);

  const sameData = startSite(3402, folder);
  expect((await sameData.exited).code).toBe(1);
  expect(sameData.output()).toContain(folder);
  expect(sameData.output()).not.toMatch(/\n\s+at /);

  // One that ends before its time is up gives its lock back; one that is cut leaves it.
  expect(existsSync(join(folder, 'database', 'lock'))).toBe(true);
  again.process.kill('SIGINT');
  expect(await again.exited).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, 'database', 'lock'))).toBe(false);
  await expect(fetch('http://127.0.0.1:3401/')).rejects.toThrow();
  removeFolder(folder);
});

test('kill -9 in the middle of a repair loses nothing', async () => {
  test.setTimeout(420_000);
  const folder = newFolder();
  const first = startSite(3403, folder);
  await untilUp(first);
  const taskIds: string[] = [];
  const bytes = await makePdfWithoutTable();
  for (let count = 0; count < 4; count += 1) taskIds.push(await uploadAndStart(first.url, bytes));
  first.process.kill('SIGKILL');
  await first.exited;

  const second = startSite(3403, folder);
  await untilUp(second);
  for (const taskId of taskIds) {
    await expect
      .poll(async () => (await readTask(second.url, taskId)).status, { timeout: 60_000, intervals: [500] })
      .toBe('success');
    const task = await readTask(second.url, taskId);
    expect(task.report?.verdict).toBe('repaired');
    const file = await fetch(new URL(task.downloadUrl ?? '', second.url));
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(500);
  }
  second.process.kill('SIGTERM');
  await second.exited;
  removeFolder(folder);
});

test('a bad setting is named in one line', async () => {
  const folder = newFolder();
  const site = startSite(3404, folder, { SITE_URL: 'not an address' });
  expect((await site.exited).code).toBe(1);
  expect(site.output()).toContain('SITE_URL');
  expect(site.output()).not.toMatch(/\n\s+at /);
  removeFolder(folder);
});

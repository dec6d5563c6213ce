import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepairTask } from '@/lib/contract/repair';
import { startApi, type TestApi } from './harness/api';
import { bytesOf, repair, taskOf, upload } from './harness/files';

let api: TestApi;
beforeAll(async () => {
  process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
  api = await startApi();
});
afterAll(() => api.close());

// A file of nothing but text is refused as no video; a NUL is no text.
const video = (name: string, text = `content of ${name}`) => ({ name, bytes: bytesOf(`${text}\0`), type: 17 as const });
const working = () => upload(api, video('working.mp4', 'video of the same camera'));
const start = (taskId: string, body: object) => api.ask<RepairTask>('POST', `/repair/tasks/${taskId}`, { body });
const textOf = async (taskId: string) =>
  (await (await api.send('GET', `/repair/tasks/${taskId}/file`)).text()).replaceAll('\0', '');

describe('a working video from the same camera', () => {
  it('is added to a repair that failed for want of it: the first upload is used again', async () => {
    const task = await repair(api, video('indexless.mp4'));
    expect(task).toMatchObject({ status: 'failure', report: { wantsSample: true } });
    const started = await start(task.taskId, { sampleTaskId: await working() });
    expect(started.obj.status).toBe('waiting');
    await api.jobs(['repair']);
    expect((await taskOf(api, task.taskId)).status).toBe('success');
    expect(await textOf(task.taskId)).toBe('content of indexless.mp4 with video of the same camera');
  });

  it('starts one repair however often it is asked for', async () => {
    const task = await repair(api, video('indexless twice.mp4'));
    const sampleTaskId = await working();
    await Promise.all([1, 2, 3].map(() => start(task.taskId, { sampleTaskId })));
    await api.jobs(['repair']);
    const again = await start(task.taskId, { sampleTaskId });
    expect(again.obj.status).toBe('success');
  });

  it('may be another one when the first did not fit', async () => {
    const task = await repair(api, video('indexless again.mp4'));
    await start(task.taskId, { sampleTaskId: await upload(api, video('other.mp4', 'video of another camera')) });
    await api.jobs(['repair']);
    expect((await taskOf(api, task.taskId)).status).toBe('failure');
    await start(task.taskId, { sampleTaskId: await working() });
    await api.jobs(['repair']);
    expect((await taskOf(api, task.taskId)).status).toBe('success');
  });

  it('takes nothing away that came back without it', async () => {
    const task = await repair(api, video('indexless picture.mp4'));
    expect(task.report?.verdict).toBe('partly');
    await start(task.taskId, { sampleTaskId: await upload(api, video('other.mp4', 'video of another camera')) });
    await api.jobs(['repair']);
    const after = await taskOf(api, task.taskId);
    expect(after).toMatchObject({ status: 'success', report: { verdict: 'partly' } });
    expect(after.report?.notes.join(' ')).toContain('did not help');
    expect(await textOf(task.taskId)).toBe('content of indexless picture.mp4');
    await start(task.taskId, { sampleTaskId: await working() });
    await api.jobs(['repair']);
    expect(await textOf(task.taskId)).toContain('with video of the same camera');
    const results = fs.readdirSync(path.join(api.dataDir, 'results'));
    const owned = new Set((await api.ctx.db.query.repairTasks.findMany()).map((row) => row.resultFile));
    expect(results.filter((name) => !owned.has(name))).toEqual([]);
  });

  it('goes with the repair when that is deleted', async () => {
    const task = await repair(api, video('indexless gone.mp4'));
    const sampleTaskId = await working();
    const before = fs.readdirSync(path.join(api.dataDir, 'uploads')).length;
    await start(task.taskId, { sampleTaskId });
    await api.jobs(['repair']);
    await api.ask('DELETE', `/repair/tasks/${task.taskId}`);
    expect(fs.readdirSync(path.join(api.dataDir, 'uploads'))).toHaveLength(before - 2);
    expect((await taskOf(api, sampleTaskId)).status).toBe('deleted');
  });

  it.each([
    ['is not there', async () => 'x'.repeat(32), 410],
    ['has been started as a repair', async () => (await repair(api, video('healthy.mp4'))).taskId, 409],
    ['is no video', () => upload(api, { name: 'working.pdf', bytes: bytesOf('same camera') }), 400],
  ])('is refused when it %s, and nothing changes', async (_, sampleOf, status) => {
    const task = await repair(api, video('indexless refused.mp4'));
    const answer = await start(task.taskId, { sampleTaskId: await sampleOf() });
    expect(answer.status).toBe(status);
    expect((await taskOf(api, task.taskId)).status).toBe('failure');
  });

  it('is refused where it would not help, and for the repair itself', async () => {
    const hopeless = await repair(api, video('hopeless.mp4'));
    expect((await start(hopeless.taskId, { sampleTaskId: await working() })).status).toBe(400);
    const task = await repair(api, video('indexless self.mp4'));
    expect((await start(task.taskId, { sampleTaskId: task.taskId })).status).toBe(410);
    expect((await start(task.taskId, { sampleTaskId: 7 })).status).toBe(400);
  });
});

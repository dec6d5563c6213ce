import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reportSchema } from '../../../lib/repair/report/schema';
import type { Site } from '../../support/process';
import { Client, type Upload } from '../client';
import { hostileFiles, mutatedFile } from '../hostile-files';

/** Names of what lies in a site's folder beside database and logs, to see whether a repair wrote where it must not. */
const namesIn = (folder: string) => readdirSync(folder).sort().join(' ');

/** Sends hostile files to the tools: each ends with a report, and the site, its folder and its other visitors do not notice. */
export async function hostileUploads(
  site: Site,
  folder: string,
  { made, mutations }: { made: number; mutations: number },
): Promise<string> {
  const files: Upload[] = (await hostileFiles()).slice(0, made);
  for (let number = 1; number <= mutations; number += 1) {
    const group = number % 4 === 0 ? 'videos' : 'files';
    const file = await mutatedFile(700_000 + number, group);
    if (file) files.push(file);
  }
  const before = namesIn(folder);
  const client = new Client(site.url);
  const verdicts = new Map<string, number>();
  for (const file of files) {
    const verdict = await verdictOn(client, file);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  assert.equal(namesIn(folder), before);
  assert.deepEqual(readdirSync(join(folder, 'work')), []);
  for (const name of readdirSync(join(folder, 'results'))) {
    assert.equal(statSync(join(folder, 'results', name)).mode & 0o777, 0o600, `${name} can be read by others.`);
  }
  const { status } = await fetch(`${site.url}/api/v1/health`);
  assert.equal(status, 200, 'The site is not well after hostile files.');
  return `${files.length} hostile files: ${[...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`;
}

async function verdictOn(client: Client, file: Upload): Promise<string> {
  const what = `${file.name.slice(0, 60)} (${file.bytes.length} bytes)`;
  const form = await client.askForForm(file);
  if (!form.obj) {
    assert(form.status >= 400 && form.status < 500, `${what}: a form gives ${form.status} ${form.msg}`);
    return 'refused';
  }
  const sent = await client.send(form.obj, file);
  if (sent.success !== '1') {
    assert(sent.status >= 400 && sent.status < 500, `${what}: sending gives ${sent.status} ${sent.msg}`);
    return 'refused';
  }
  const { taskId } = form.obj;
  assert.equal((await client.ask('POST', `/repair/tasks/${taskId}`)).success, '1', what);
  const task = await client.repaired(taskId);
  const report = reportSchema.safeParse(task.report).data;
  assert(report, `${what} ends as ${task.status}, without a report.`);
  const isNothing = report.verdict === 'unrepairable';
  assert.equal(task.status, isNothing ? 'failure' : 'success', what);
  assert.equal(report.output === null, isNothing, what);
  assert(!/[/\\\u202e]/.test(task.downloadName ?? ''), `${what} is offered as ${task.downloadName}`);
  assert.equal((await client.ask('DELETE', `/repair/tasks/${taskId}`)).success, '1', what);
  return report.verdict;
}

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makePdfWithoutTable } from '../../support/documents';
import type { Site } from '../../support/process';
import { Client, type Upload } from '../client';

/** Bytes of the uploads on a site's disk. */
function uploadedBytes(folder: string): number {
  const uploads = join(folder, 'uploads');
  return readdirSync(uploads).reduce((sum, name) => sum + statSync(join(uploads, name)).size, 0);
}

/** Sends one signed form many times at once and after its end, and forms that were changed: each form brings one file, once. */
export async function formReplays(site: Site, folder: string, rounds: number): Promise<string> {
  const client = new Client(site.url);
  const bytes = await makePdfWithoutTable();
  const refusals = { replayed: 0, changed: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const file: Upload = { name: `report-${round}.pdf`, bytes, type: 18 };
    const { obj: form } = await client.askForForm(file);
    assert(form, 'A form is refused.');
    const before = uploadedBytes(folder);
    const sent = await Promise.all(Array.from({ length: 6 }, () => client.send(form, file)));
    assert.equal(sent.filter(({ success }) => success === '1').length >= 1, true, JSON.stringify(sent));
    assert(uploadedBytes(folder) - before <= file.bytes.length, 'One form brought more than one file.');
    const started = await client.ask('POST', `/repair/tasks/${form.taskId}`);
    assert.equal(started.success, '1', started.msg);
    const late = await client.send(form, { ...file, bytes: Buffer.alloc(bytes.length, 1) });
    assert.notEqual(late.success, '1', 'A form was taken again after its repair had begun.');
    refusals.replayed += sent.filter(({ success }) => success !== '1').length + 1;
    for (const field of Object.keys(form.upload.fields)) {
      const fields = { ...form.upload.fields, [field]: changed(form.upload.fields[field] ?? '') };
      const forged = await client.send({ ...form, upload: { ...form.upload, fields } }, file);
      assert(forged.status >= 400 && forged.status < 500, `A changed ${field} gives ${forged.status}.`);
      refusals.changed += 1;
    }
    const long = await client.askForForm(file);
    assert(long.obj, 'A form is refused.');
    const padded = Buffer.concat([bytes, Buffer.alloc(4_000_000)]);
    assert((await client.send(long.obj, { ...file, bytes: padded })).status >= 400, 'A longer file was taken.');
    assert.equal((await client.repaired(form.taskId)).status, 'success');
  }
  return `${rounds} forms: ${refusals.replayed} replays and ${refusals.changed} changed forms refused`;
}

/** The same length, another content. */
function changed(value: string): string {
  const last = value.at(-1) === 'A' ? 'B' : 'A';
  return `${value.slice(0, -1)}${last}`;
}

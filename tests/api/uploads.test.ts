import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepFiles } from '@/lib/server/repairs/sweep-files';
import { startApi, type TestApi } from './harness/api';
import { askForForm, bytesOf, fill, sendForm, taskOf, upload } from './harness/files';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const MB = 2 ** 20;
const pdf = { name: 'paper.pdf', bytes: bytesOf('%PDF-1.7 some of it') };
const stored = () => fs.readdirSync(path.join(api.dataDir, 'uploads'));

/** Sends a form that begins so and goes on for ever, up to 16 MB. */
async function sendEndless(begin: Uint8Array, more: Uint8Array) {
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      const next = sent === 0 && begin.length > 0 ? begin : more;
      sent += next.length;
      controller.enqueue(next);
      if (sent > 16 * MB) controller.close();
    },
  });
  const answer = await api.ask('POST', '/oss/upload', {
    rawBody: body,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  return { answer, sent: () => sent };
}

describe('an announced file', () => {
  it.each([
    [{ name: 'song.mp3', type: 17 as const }, 100, 415, /MOV, MP4, .* or M4V/],
    [{ name: 'paper.exe', type: 18 as const }, 100, 415, /PDF, DOCX, PPTX, XLSX, DOC, PPT or XLS/],
    [{ name: 'no extension', type: 18 as const }, 100, 415, /PDF/],
    [{ name: 'paper.pdf', type: 18 as const }, 0, 400, /empty/],
    [{ name: 'paper.pdf', type: 18 as const }, 5 * MB, 413, /under 5 MB/],
    [{ name: 'photo.jpg', type: 19 as const }, 5 * MB + 1, 413, /A photo must be under 5 MB/],
    [{ name: 'film.mp4', type: 17 as const }, 500 * MB, 413, /A video must be under 500 MB/],
  ])('%j of %d bytes is refused in words', async (sample, size, status, msg) => {
    const answer = await askForForm(api, { ...sample, bytes: bytesOf('') }, size);
    expect(answer.status).toBe(status);
    expect(answer.envelope.msg).toMatch(msg);
  });

  it('one byte under the limit is taken, and so is any case of the extension', async () => {
    expect((await askForForm(api, { ...pdf, name: 'PAPER.PDF' }, 5 * MB - 1)).status).toBe(200);
  });

  it('needs a type, a name and a size', async () => {
    const missing = await api.ask('GET', '/oss/signature?type=18&fileSize=3');
    expect(missing.envelope.msg).toBe('The field “fileName” is missing.');
    expect((await api.ask('GET', '/oss/signature?type=20&fileName=a.pdf&fileSize=3')).status).toBe(400);
  });
});

describe('the form', () => {
  it('is S3’s POST policy, version 4', async () => {
    const { obj } = await askForForm(api, pdf);
    expect(Object.keys(obj.upload.fields)).toEqual([
      'key',
      'bucket',
      'X-Amz-Algorithm',
      'X-Amz-Credential',
      'X-Amz-Date',
      'Policy',
      'X-Amz-Signature',
    ]);
    const policy = JSON.parse(Buffer.from(obj.upload.fields.Policy ?? '', 'base64').toString());
    expect(policy.conditions[0]).toEqual(['content-length-range', pdf.bytes.length, pdf.bytes.length]);
    expect(obj.taskId).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(obj.upload.fields)).not.toContain(obj.taskId);
  });

  it('stores the file as it was sent, once', async () => {
    const { obj } = await askForForm(api, pdf);
    expect((await sendForm(api, fill(obj.upload.fields, pdf.bytes))).status).toBe(200);
    const file = path.join(api.dataDir, 'uploads', obj.upload.fields.key ?? '');
    expect(fs.readFileSync(file)).toEqual(Buffer.from(pdf.bytes));
    expect((await sendForm(api, fill(obj.upload.fields, bytesOf('%PDF-1.7 another  !')))).status).toBe(409);
    expect(fs.readFileSync(file)).toEqual(Buffer.from(pdf.bytes));
  });

  it.each([
    ['a changed key', { key: 'a'.repeat(64) }, 403],
    ['a changed policy', { Policy: Buffer.from('{}').toString('base64') }, 403],
    ['no signature', { 'X-Amz-Signature': '' }, 403],
    ['a path as key', { key: '../../etc/passwd' }, 403],
  ])('with %s is refused, nothing stored', async (_what, change, status) => {
    const before = stored();
    const { obj } = await askForForm(api, pdf);
    const answer = await sendForm(api, fill({ ...obj.upload.fields, ...change }, pdf.bytes));
    expect(answer.status).toBe(status);
    expect(stored()).toEqual(before);
  });

  it('runs out', async () => {
    const own = await startApi();
    const { obj } = await askForForm(own, pdf);
    own.pass(16 * 60_000);
    expect((await sendForm(own, fill(obj.upload.fields, pdf.bytes))).status).toBe(410);
    await own.close();
  });

  it.each([
    ['more than announced', bytesOf('%PDF-1.7 some of it and more'), 413, /larger than was announced/],
    ['less than announced', bytesOf('%PDF'), 400, /Only a part/],
    ['nothing', bytesOf(''), 400, /Only a part/],
    ['a program for Windows', bytesOf('MZ\x90 and the rest of '), 415, /a program for Windows with another name/],
    ['a program for Linux', bytesOf('\x7fELF and the rest o'), 415, /a program for Linux/],
    [
      'a program for macOS',
      new Uint8Array([0xcf, 0xfa, 0xed, 0xfe, ...bytesOf(' and the rest o')]),
      415,
      /a program for macOS/,
    ],
    [
      'a web page',
      bytesOf('<!DOCTYPE html><title>'),
      415,
      /a web page with another name\. .* download the file once more/,
    ],
    ['a script', bytesOf('#!/bin/sh\nrm -rf / #'), 415, /a script/],
  ])('that brings %s is refused, nothing stored', async (_what, bytes, status, msg) => {
    const before = stored();
    const { obj } = await askForForm(api, pdf, pdf.bytes.length);
    const answer = await sendForm(api, fill(obj.upload.fields, bytes));
    expect(answer.status).toBe(status);
    expect(answer.envelope.msg).toMatch(msg);
    expect(stored()).toEqual(before);
  });

  it('must be a form with a file', async () => {
    expect((await api.ask('POST', '/oss/upload', { body: { a: 1 } })).status).toBe(400);
    const { obj } = await askForForm(api, pdf);
    const empty = new FormData();
    for (const [name, value] of Object.entries(obj.upload.fields)) empty.set(name, value);
    expect((await sendForm(api, empty)).envelope.msg).toBe('The form has no file in it.');
    const early = new FormData();
    early.set('file', new Blob(['%PDF']), 'a.pdf');
    expect((await sendForm(api, early)).status).toBe(403);
  });

  it('that is cut off leaves nothing', async () => {
    const before = stored();
    const { obj } = await askForForm(api, { ...pdf, bytes: new Uint8Array(1000) });
    const whole = new Uint8Array(await new Response(fill(obj.upload.fields, new Uint8Array(1000))).arrayBuffer());
    const boundary = new TextDecoder().decode(whole.slice(2, whole.indexOf(13)));
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(whole.slice(0, whole.length - 300));
        controller.error(new Error('the line is gone'));
      },
    });
    const answer = await api.ask('POST', '/oss/upload', {
      rawBody: body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect(answer.status).toBe(400);
    expect(stored()).toEqual(before);
  });

  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
  const letters = 'x'.repeat(8192);
  it.each([
    ['a preamble', '', letters, 413],
    ['a head', '--b\r\nContent-Disposition: form-data; name="key"\r\n', `X-A: ${letters.slice(7)}\r\n`, 400],
    ['a field', part('key'), letters, 413],
    ['a row of fields', '', `${part('key')}${letters}\r\n`, 413],
    ['a part of an unknown kind', '--b\r\nContent-Type: text/plain\r\n\r\n', letters, 413],
    ['a file of another name', part('other').replace('other"', 'other"; filename="a"'), letters, 413],
  ])('with %s that never ends is ended by its size', async (_what, begin, more, status) => {
    const before = stored();
    const { answer, sent } = await sendEndless(bytesOf(begin), bytesOf(more));
    expect(answer.status).toBe(status);
    expect(sent()).toBeLessThan(256 * 1024);
    expect(stored()).toEqual(before);
  });

  it.each([
    ['text after its end', '\r\n--b--\r\n', letters],
    ['parts after the file', '\r\n', `${part('late')}${letters}\r\n`],
  ])('with %s that never ends is ended, and its whole file goes', async (_what, between, more) => {
    const before = stored();
    const { obj } = await askForForm(api, pdf);
    const fields = Object.entries(obj.upload.fields).map(([name, value]) => `${part(name)}${value}\r\n`);
    const file = `${part('file').replace('"file"', '"file"; filename="a.pdf"')}${new TextDecoder().decode(pdf.bytes)}`;
    const { answer, sent } = await sendEndless(bytesOf(`${fields.join('')}${file}${between}`), bytesOf(more));
    expect(answer.status).toBe(413);
    expect(sent()).toBeLessThan(256 * 1024);
    expect(stored()).toEqual(before);
    expect((await sendForm(api, fill(obj.upload.fields, pdf.bytes))).status).toBe(200);
  });

  it('that stands still is ended', async () => {
    const own = await startApi({ UPLOAD_STALL_SECONDS: '1' });
    const { obj } = await askForForm(own, { ...pdf, bytes: new Uint8Array(1000) });
    const whole = new Uint8Array(await new Response(fill(obj.upload.fields, new Uint8Array(1000))).arrayBuffer());
    const boundary = new TextDecoder().decode(whole.slice(2, whole.indexOf(13)));
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(whole.slice(0, whole.length - 300));
      },
    });
    const answer = await own.ask('POST', '/oss/upload', {
      rawBody: body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect(answer.status).toBe(408);
    expect(answer.envelope.msg).toBe('The upload stood still for too long.');
    expect(fs.readdirSync(path.join(own.dataDir, 'uploads'))).toEqual([]);
    await own.close();
  });
});

describe('room', () => {
  it('is limited for one client', async () => {
    // Without the cookie there is a quarter of a visitor's share.
    const own = await startApi({ RATE_LIMITS: 'on', UPLOAD_TASKS_PER_CLIENT: '8' });
    const ask = (client: string) => askForForm(own, { ...pdf, client });
    await ask('198.51.100.1');
    await ask('198.51.100.1');
    expect((await ask('198.51.100.1')).status).toBe(429);
    expect((await ask('198.51.100.2')).status).toBe(200);
    // One line has a whole /64 of IPv6 addresses.
    await ask('2001:db8:1:2::1');
    await ask('2001:db8:1:2:ffff::9');
    expect((await ask('2001:db8:1:2:abcd::1')).status).toBe(429);
    expect((await ask('2001:db8:1:3::1')).status).toBe(200);
    await own.close();
  });

  it('is limited for all together, a result counted like its upload', async () => {
    const own = await startApi({ UPLOAD_DISK_MB: '1' });
    expect((await askForForm(own, pdf, 0.4 * MB)).status).toBe(400);
    expect((await askForForm(own, pdf, Math.floor(0.4 * MB))).status).toBe(200);
    expect((await askForForm(own, pdf, Math.floor(0.2 * MB))).status).toBe(503);
    await own.close();
  });
});

describe('deletion', () => {
  it('happens on the visitor’s word, at once and for good', async () => {
    const taskId = await upload(api, pdf);
    const before = stored().length;
    expect((await api.ask('DELETE', `/repair/tasks/${taskId}`)).status).toBe(200);
    expect(stored()).toHaveLength(before - 1);
    expect(await taskOf(api, taskId)).toMatchObject({ status: 'deleted', fileName: '', report: null });
    expect((await api.ask('POST', `/repair/tasks/${taskId}`)).status).toBe(410);
    expect((await api.ask('GET', `/repair/tasks/${taskId}/file`)).status).toBe(410);
    const { rows } = await api.ctx.handle.query({ text: 'select * from repair_tasks' });
    expect(JSON.stringify(rows)).not.toContain(taskId);
  });

  it('happens by itself within 24 hours, orphans included', async () => {
    const own = await startApi();
    const sweep = () =>
      sweepFiles.run(
        own.ctx,
        { id: 'x', kind: 'sweep.files', payload: {}, attempt: 1, failures: 0 },
        new AbortController().signal,
      );
    const folder = path.join(own.dataDir, 'uploads');
    const taskId = await upload(own, pdf);
    const orphan = path.join(folder, 'f'.repeat(64));
    fs.writeFileSync(orphan, 'left behind');
    await sweep();
    expect(fs.readdirSync(folder)).toHaveLength(2);
    own.pass(8 * 3_600_000);
    await sweep();
    expect(fs.existsSync(orphan)).toBe(false);
    expect((await taskOf(own, taskId)).status).toBe('uploading');
    own.pass(16 * 3_600_000);
    expect((await taskOf(own, taskId)).status).toBe('deleted');
    await sweep();
    expect(fs.readdirSync(folder)).toEqual([]);
    const { rows } = await own.ctx.handle.query({ text: 'select file_name, report, status from repair_tasks' });
    expect(rows).toEqual([{ file_name: '', report: null, status: 'deleted' }]);
    await own.close();
  });

  it('answers an unknown key as a deleted one never would', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await api.ask(method, `/repair/tasks/${'0'.repeat(32)}`)).status).toBe(404);
    }
  });
});

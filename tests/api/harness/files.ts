import type { RepairTask, UploadSignature } from '@/lib/contract/repair';
import type { ToolType } from '@/lib/contract/tool-types';
import type { Answer, TestApi } from './api';

/** A file to be repaired. */
export type Sample = { name: string; bytes: Uint8Array; type?: ToolType; client?: string; visitor?: string };

/** Asks for a form. */
export function askForForm(
  api: TestApi,
  sample: Sample,
  fileSize = sample.bytes.length,
): Promise<Answer<UploadSignature>> {
  const query = new URLSearchParams({
    type: String(sample.type ?? 18),
    fileName: sample.name,
    fileSize: String(fileSize),
  });
  return api.ask('GET', `/oss/signature?${query}`, {
    ...(sample.client ? { client: sample.client } : {}),
    ...(sample.visitor ? { headers: { cookie: `visitor=${sample.visitor}` } } : {}),
  });
}

/** Fills the form as a browser does: the fields first, then the file. */
export function fill(fields: Record<string, string>, bytes: Uint8Array, name = 'file.pdf'): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
}

/** Sends a form. */
export function sendForm(api: TestApi, form: FormData): Promise<Answer<null>> {
  const { body, headers } = new Response(form);
  return api.ask('POST', '/oss/upload', {
    ...(body ? { rawBody: body } : {}),
    headers: { 'content-type': headers.get('content-type') ?? '' },
  });
}

/** Uploads a file; the task's id. */
export async function upload(api: TestApi, sample: Sample): Promise<string> {
  const { obj } = await askForForm(api, sample);
  const sent = await sendForm(api, fill(obj.upload.fields, sample.bytes, sample.name));
  if (sent.status !== 200) throw new Error(sent.envelope.msg);
  return obj.taskId;
}

/** How a task stands. */
export async function taskOf(api: TestApi, taskId: string): Promise<RepairTask> {
  return (await api.ask<RepairTask>('GET', `/repair/tasks/${taskId}`)).obj;
}

/** Uploads, starts and repairs a file. */
export async function repair(api: TestApi, sample: Sample): Promise<RepairTask> {
  const taskId = await upload(api, sample);
  await api.ask('POST', `/repair/tasks/${taskId}`);
  await api.jobs(['repair']);
  return taskOf(api, taskId);
}

/** Some text as bytes. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

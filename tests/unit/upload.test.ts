import { describe, expect, it } from 'vitest';
import { sendUpload } from '@/services/upload';
import { answers, loses, refuses, standInForApi } from '../support/screen-setup';

standInForApi();

const signature = {
  taskId: 'a'.repeat(32),
  upload: { url: '/api/v1/oss/upload', method: 'POST' as const, fields: { key: 'k' } },
  statusUrl: '/repair/tasks/a',
  expiresAt: '2026-01-01T00:00:00Z',
};
const send = () =>
  sendUpload(signature, new File(['%PDF'], 'a.pdf'), {
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
const kindOf = async () => {
  const sent = await send();
  return sent.ok ? 'sent' : `${sent.error.kind}: ${sent.error.msg}`;
};

describe('an upload by form', () => {
  it('that arrived is done, and one that nobody answers is lost', async () => {
    answers('post', '/oss/upload', null);
    expect(await kindOf()).toBe('sent');
    loses('post', '/oss/upload');
    expect(await kindOf()).toMatch(/^network: /);
  });

  it('that is refused stays so, in the server’s words', async () => {
    refuses('post', '/oss/upload', 'This file is a script.', 415);
    expect(await kindOf()).toBe('refusal: This file is a script.');
  });

  it('that stood still was cut, and may be sent again', async () => {
    refuses('post', '/oss/upload', 'The upload stood still for too long.', 408);
    expect(await kindOf()).toBe('timeout: The upload stood still for too long.');
  });
});

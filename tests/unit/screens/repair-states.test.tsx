import { act, createEvent, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RepairTool } from '@/components/repair/repair-tool';
import { onlineTools } from '@/lib/catalog/tools';
import type { RepairReport, RepairTask } from '@/lib/contract/repair';
import { lookAgain, startOver } from '@/store/repair';
import type { RepairEvent } from '@/store/repair-machine';
import { stateOf, step } from '@/store/repair-state';
import { useToasts } from '@/store/toasts';
import { rememberUpload } from '@/store/unfinished-uploads';
import { followUpload } from '@/store/upload-pace';
import { emptyReport } from '../../support/repair-report';
import { answers, loses, refuses, sent, standInForApi } from '../../support/screen-setup';

const push = vi.fn();
vi.mock('next/navigation', () => ({ usePathname: () => '/', useRouter: () => ({ push }) }));

standInForApi();

const tool = onlineTools.video;
const taskId = 'a'.repeat(32);
const file = new File([new Uint8Array(2048)], 'holiday.mp4', { type: 'video/mp4', lastModified: 1 });
const sample = new File([new Uint8Array(1024)], 'working.mp4', { type: 'video/mp4', lastModified: 1 });
const report: RepairReport = {
  ...emptyReport,
  verdict: 'repaired',
  format: 'mp4',
  output: { bytes: 4096, sha256: 'b' },
};
const task = (status: RepairTask['status'], change: Partial<RepairTask> = {}): RepairTask => ({
  taskId,
  type: 17,
  fileName: 'holiday.mp4',
  fileSize: 2048,
  status,
  queuePosition: null,
  queueSeconds: null,
  report: null,
  downloadUrl: null,
  downloadName: null,
  expiresAt: '2026-11-23T05:50:00Z',
  ...change,
});
const told = (change: RepairTask, resultUrl: string | null = null): RepairEvent => ({
  type: 'told',
  task: change,
  resultUrl,
});
const waiting: RepairEvent[] = [{ type: 'resume', taskId }];
const ended = (verdict: RepairReport['verdict'], change: Partial<RepairReport> = {}): RepairEvent[] => [
  ...waiting,
  told(
    task(verdict === 'unrepairable' ? 'failure' : 'success', {
      report: { ...report, verdict, ...change },
      downloadName: 'holiday-repaired.mp4',
    }),
    '/api/v1/repair/tasks/x/file',
  ),
];
const uploading: RepairEvent[] = [
  { type: 'send', file },
  { type: 'place', taskId },
];

/** Drops a file on the page, beside the box. */
function drop(...files: File[]): void {
  const event = createEvent.drop(document.body);
  Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], files } });
  act(() => void fireEvent(document.body, event));
}

/** Shows the tool and has this happen to it. */
function show(events: readonly RepairEvent[] = []): void {
  render(<RepairTool tool={tool} />);
  act(() => {
    for (const event of events) step(tool, event);
  });
}

const heading = () => screen.getByRole('heading', { level: 2 });
const button = (name: string) => screen.getByRole('button', { name });
const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent?.trim());

beforeEach(() => {
  push.mockClear();
  answers('get', '/repair/tasks', { most: 20, tasks: [] });
});
afterEach(() => startOver(tool));

describe('idle', () => {
  it('asks for a file, and says limit and formats', () => {
    show();
    expect(heading().textContent).toBe('Drop a video here');
    expect(button('Choose a video').getAttribute('aria-describedby')).toBeTruthy();
    expect(screen.getByText(/^Under 500 MB\. MOV, MP4, /)).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('refuses a file of no tool, an empty one and two at once, in words beside the box', async () => {
    show();
    const input = screen.getByLabelText<HTMLInputElement>('Choose a video', { selector: 'input' });
    const choose = (...files: File[]) => userEvent.upload(input, files, { applyAccept: false });
    await choose(new File(['x'], 'notes.txt'));
    expect(screen.getByRole('alert').textContent).toMatch(/^“notes\.txt” can’t be repaired here\./);
    await choose(new File([], 'empty.mp4'));
    expect(screen.getByRole('alert').textContent).toMatch(/“empty\.mp4” is empty/);
    expect(names()).toEqual(['Choose a video']);
    expect(stateOf(tool).phase).toBe('idle');
  });

  it('hands a file of another kind to its own tool', async () => {
    show();
    const input = screen.getByLabelText<HTMLInputElement>('Choose a video', { selector: 'input' });
    await userEvent.upload(input, new File(['x'], 'letter.pdf'), { applyAccept: false });
    await userEvent.click(button('Repair it as a file'));
    expect(push).toHaveBeenCalledWith('/corrupted-file-recovery-online');
    expect(screen.getByRole('alert').textContent).toBe('');
  });
});

describe('uploading', () => {
  it('shows what has been sent of all, and says it in steps', () => {
    show(uploading);
    expect(heading().textContent).toBe('Uploading');
    expect(heading()).toBe(document.activeElement);
    expect(screen.getByRole('status').textContent).toBe('Uploading');
    act(() => void step(tool, { type: 'progress', sent: 1100 }));
    expect(screen.getByRole('progressbar', { name: 'Upload' }).getAttribute('value')).toBe('53');
    expect(screen.getByRole('status').textContent).toBe('50% uploaded');
    expect(screen.getByText('1.1 kB of 2.0 kB')).toBeTruthy();
  });

  it('says that the connection is gone, and that the upload goes on by itself', () => {
    show(uploading);
    act(() => followUpload(tool, file.size).cutOff(true));
    expect(screen.getByRole('status').textContent).toMatch(/^The connection is gone\. What has arrived is kept/);
    act(() => void followUpload(tool, file.size));
  });

  it('of a working video says so', () => {
    show([...ended('unrepairable', { wantsSample: true }), { type: 'addSample', file: sample }]);
    expect(heading().textContent).toBe('Uploading the working video');
    expect(screen.getByText('working.mp4')).toBeTruthy();
  });

  it('is cancelled: back to the empty box, and what arrived is deleted on the server', async () => {
    answers('delete', `/repair/tasks/${taskId}`, null);
    show(uploading);
    await userEvent.click(button('Cancel'));
    expect(heading().textContent).toBe('Drop a video here');
    await expect.poll(() => sent.has(`DELETE /repair/tasks/${taskId}`)).toBe(true);
  });
});

describe('waiting', () => {
  it.each([
    ['no place', null, null, 'Your file is being repaired.'],
    ['the next place', 1, null, 'Yours is next in the queue.'],
    ['a place and a time', 3, 125, 'Place 3 in the queue: it starts in about 2 minutes.'],
  ])('with %s', (_, queuePosition, queueSeconds, words) => {
    show([...waiting, told(task('waiting', { queuePosition, queueSeconds }))]);
    expect(heading().textContent).toBe('Repairing');
    expect(screen.getByRole('status').textContent).toBe(words);
    expect(screen.getByText('You can leave and come back to this page.')).toBeTruthy();
    expect(names()).toEqual(['Cancel']);
  });

  it('while the server is silent says that the file is safe', () => {
    show([...waiting, { type: 'silence' }]);
    expect(screen.getByRole('status').textContent).toMatch(/can’t be reached just now\. Your file is safe there/);
    act(() => void step(tool, told(task('running'))));
    expect(screen.getByRole('status').textContent).toBe('Your file is being repaired.');
  });
});

describe('success', () => {
  it.each([
    ['healthy', 'Nothing to repair'],
    ['repaired', 'Repaired'],
    ['partly', 'Partly repaired'],
  ] as const)('with the verdict %s', (verdict, words) => {
    show(ended(verdict));
    expect(heading().textContent?.trim()).toBe(words);
    expect(screen.getByRole('status').textContent).toBe('What the engine says.');
    const link = screen.getByRole('link', { name: 'Download' });
    expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([
      '/api/v1/repair/tasks/x/file',
      'holiday-repaired.mp4',
    ]);
    expect(screen.getByText(/^We delete the file from our server on Nov 2[23], 2026/)).toBeTruthy();
    expect(screen.getByText('What we found and did')).toBeTruthy();
  });

  it('of an API that sends no report and no file says what is certain', () => {
    show([...waiting, told(task('success'))]);
    expect(heading().textContent?.trim()).toBe('Your file is ready');
    expect(screen.getByRole('status').textContent).toBe('The repair is done.');
    expect(screen.queryByRole('link', { name: 'Download' })).toBeNull();
    expect(screen.queryByText('What we found and did')).toBeNull();
  });

  it('offers a working video where one would help, and refuses what is none beside that offer', async () => {
    show(ended('partly', { wantsSample: true }));
    const offer = screen.getByRole('region', { name: 'A working video can help' });
    const input = within(offer).getByLabelText<HTMLInputElement>('Add a working video', { selector: 'input' });
    await userEvent.upload(input, new File(['x'], 'notes.txt'), { applyAccept: false });
    expect(within(offer).getByRole('alert').textContent).toMatch(/“notes\.txt” can’t be repaired here/);
    expect(heading().textContent?.trim()).toBe('Partly repaired');
  });

  it('is deleted on request; where that is lost, the result stays and says so', async () => {
    loses('delete', `/repair/tasks/${taskId}`);
    show(ended('repaired'));
    await userEvent.click(button('Delete now'));
    expect(await screen.findByText(/can’t be reached/)).toBeTruthy();
    expect(heading().textContent?.trim()).toBe('Repaired');
    answers('delete', `/repair/tasks/${taskId}`, null);
    await userEvent.click(button('Delete now'));
    expect(await screen.findByRole('heading', { name: 'This file is deleted' })).toBe(document.activeElement);
  });

  it('ends with Fix another', async () => {
    show(ended('repaired'));
    await userEvent.click(button('Fix another'));
    expect(heading().textContent).toBe('Drop a video here');
    expect(document.activeElement).toBe(button('Choose a video'));
  });
});

describe('failure', () => {
  it('has its settled sentence, the reason, and what can be done instead', () => {
    show(ended('unrepairable'));
    expect(heading().textContent?.trim()).toBe('Not repaired');
    expect(screen.getByRole('alert').textContent).toBe(tool.failure);
    expect(screen.getByText('What the engine says.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Try desktop' }).getAttribute('href')).toBe('/video-fixer');
    expect(names()).toEqual(['Fix another', 'Delete now']);
  });

  it('without a report says the sentence alone', () => {
    show([...waiting, told(task('failure'))]);
    expect(screen.getByRole('alert').textContent).toBe(tool.failure);
    expect(screen.queryByText('What we found and did')).toBeNull();
  });

  it('offers a working video where one would help, and comes back with the words when that upload breaks off', () => {
    show([...ended('unrepairable', { wantsSample: true }), { type: 'addSample', file: sample }]);
    act(() => void step(tool, { type: 'broke', error: 'The line broke.' }));
    expect(heading().textContent?.trim()).toBe('Not repaired');
    const offer = screen.getByRole('region', { name: 'A working video can help' });
    expect(within(offer).getByRole('alert').textContent).toBe('The line broke.');
    expect(names()).toEqual(['Add a working video', 'Fix another', 'Delete now']);
  });
});

describe('stopped', () => {
  it('sends the same file again with one press', async () => {
    show([...uploading, { type: 'broke', error: 'The line broke.' }]);
    expect(heading().textContent).toBe('The upload stopped');
    expect(screen.getByRole('alert').textContent).toBe('The line broke.');
    refuses('get', '/oss/signature', 'The server is full.');
    await userEvent.click(button('Send again'));
    expect((await screen.findByText('The server is full.')).closest('[role=alert]')).toBeTruthy();
    expect(heading().textContent).toBe('Drop a video here');
  });

  it('after a reload asks for the file, which nobody has any more', () => {
    show([...waiting, told(task('uploading'))]);
    expect(screen.getByRole('alert').textContent).toBe('The upload was interrupted. Please choose the file again.');
    expect(names()).toEqual(['Choose another file']);
  });

  it('after a reload of a large upload goes on with the same file', () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    rememberUpload(tool, file, { taskId, expiresAt });
    show([...waiting, told(task('uploading'))]);
    expect(screen.getByRole('alert').textContent).toMatch(
      /Choose the same file again, and it goes on where it stopped/,
    );
    expect(names()).toEqual(['Choose the same file', 'Choose another file']);
  });
});

describe('gone', () => {
  it('says so and begins anew', async () => {
    show([...waiting, { type: 'gone' }]);
    expect(heading().textContent).toBe('This file is deleted');
    expect(screen.getByRole('status').textContent).toBe(
      'The upload, the result and the report are gone from our server.',
    );
    await userEvent.click(button('Fix another'));
    expect(heading().textContent).toBe('Drop a video here');
    expect(document.activeElement).toBe(button('Choose a video'));
  });
});

describe('a file that is dropped on the page', () => {
  const another = new File(['x'], 'another.txt');
  const said = () => useToasts.getState().toasts.map(({ text }) => text);
  afterEach(() => useToasts.setState({ toasts: [] }));

  it.each([
    ['being sent', uploading],
    ['being repaired', waiting],
  ])('while another is %s is refused in words, and that one goes on', (what, events) => {
    show(events);
    const before = stateOf(tool);
    drop(another);
    expect(said()).toEqual([`One file at a time: this one is still ${what}. Cancel it to send another.`]);
    expect(stateOf(tool)).toBe(before);
  });

  it('where a working video is asked for could be either, so it is asked which', () => {
    show(ended('unrepairable', { wantsSample: true }));
    drop(another);
    expect(said()[0]).toMatch(/“Add a working video” .* “Fix another”/);
    expect(stateOf(tool).phase).toBe('failure');
  });

  it.each([
    ['a result', ended('repaired')],
    ['a failure', ended('unrepairable')],
    ['deleted files', [...waiting, { type: 'gone' }] satisfies RepairEvent[]],
  ])('after %s takes its place', (_what, events) => {
    show(events);
    drop(another);
    expect(screen.getByRole('alert').textContent).toMatch(/^“another\.txt” can’t be repaired here\./);
    expect(said()).toEqual([]);
  });
});

describe('a finished repair that is looked for again', () => {
  it('is gone where the server says so, and not where it was asked too much', async () => {
    show(ended('repaired'));
    refuses('get', `/repair/tasks/${taskId}`, 'Too many attempts.', 429);
    await act(() => lookAgain(tool));
    expect(heading().textContent?.trim()).toBe('Repaired');
    refuses('get', `/repair/tasks/${taskId}`, 'No such task.', 404);
    await act(() => lookAgain(tool));
    expect(heading().textContent).toBe('This file is deleted');
  });
});

describe('a whole repair', () => {
  it('goes from the chosen file to its result, through the calls of the API', async () => {
    answers('get', '/oss/signature', {
      taskId,
      upload: { url: 'http://localhost:3000/api/v1/oss/upload', method: 'POST', fields: { key: 'k' } },
      statusUrl: '',
      expiresAt: '2026-11-23T05:50:00Z',
    });
    answers('post', '/oss/upload', null);
    answers('post', `/repair/tasks/${taskId}`, task('waiting'));
    const done = task('success', { report, downloadUrl: `/api/v1/repair/tasks/${taskId}/file` });
    answers('get', `/repair/tasks/${taskId}`, done);
    show();
    const input = screen.getByLabelText<HTMLInputElement>('Choose a video', { selector: 'input' });
    await userEvent.upload(input, file);
    expect(await screen.findByRole('heading', { name: 'Repaired' })).toBe(document.activeElement);
    expect(window.location.hash).toBe(`#task=${taskId}`);
    expect(sent.has('POST /oss/upload')).toBe(true);
    expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toMatch(/\/file$/);
  });
});

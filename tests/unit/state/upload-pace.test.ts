import { beforeEach, describe, expect, it, vi } from 'vitest';
import { timeLeftWords } from '@/components/repair/waiting-words';
import { toolByType } from '@/lib/catalog/tools';
import { forgetUpload, isUnfinished, rememberUpload, unfinishedTask } from '@/store/unfinished-uploads';
import { Pace } from '@/store/upload-pace';

describe('the time that an upload still takes', () => {
  it('is told after a while, from the bytes of the last seconds', () => {
    const pace = new Pace(1000);
    expect(pace.note(0, 0)).toBeNull();
    expect(pace.note(10, 1000)).toBeNull();
    expect(pace.note(100, 5000)).toBeCloseTo(45);
    // Faster since: the beginning is forgotten.
    for (let second = 6; second <= 16; second += 1) pace.note(100 + (second - 5) * 50, second * 1000);
    expect(pace.note(700, 17_000)).toBeCloseTo(6, 0);
  });

  it('is not told from before a break, after which some is sent again', () => {
    const pace = new Pace(1000);
    pace.note(0, 0);
    expect(pace.note(500, 5000)).toBeCloseTo(5);
    expect(pace.note(400, 60_000)).toBeNull();
    expect(pace.note(500, 65_000)).toBeCloseTo(25);
  });

  it.each([
    [null, null],
    [3, 'a few seconds left'],
    [44, 'about 40 seconds left'],
    [65, 'about 70 seconds left'],
    [190, 'about 3 minutes left'],
  ])('%s is said as: %s', (seconds, words) => {
    expect(timeLeftWords(seconds)).toBe(words);
  });
});

describe('an upload that did not come to its end', () => {
  const video = toolByType(17);
  if (!video) throw new Error('There is no such tool.');
  const file = new File(['0123456789'], 'holiday.mp4', { lastModified: 5 });
  const place = (taskId: string, hours = 20) => ({
    taskId,
    expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
  });
  beforeEach(() => localStorage.clear());

  it('is found again for the same file', () => {
    rememberUpload(video, file, place('task-one'));
    expect(unfinishedTask(video, new File(['0123456789'], 'holiday.mp4', { lastModified: 5 }))).toBe('task-one');
    expect(isUnfinished('task-one')).toBe(true);
  });

  it.each([
    ['another name', new File(['0123456789'], 'other.mp4', { lastModified: 5 })],
    ['another size', new File(['012345678'], 'holiday.mp4', { lastModified: 5 })],
    ['a later change', new File(['0123456789'], 'holiday.mp4', { lastModified: 6 })],
  ])('is not taken for a file with %s', (_what, other) => {
    rememberUpload(video, file, place('task-one'));
    expect(unfinishedTask(video, other)).toBeNull();
  });

  it('is forgotten at its end, and after its day', () => {
    rememberUpload(video, file, place('task-one'));
    forgetUpload('task-one');
    expect(localStorage.length).toBe(0);
    rememberUpload(video, file, place('task-two', -1));
    expect(unfinishedTask(video, file)).toBeNull();
  });

  it('has one place only, and few are kept', () => {
    rememberUpload(video, file, place('task-one'));
    rememberUpload(video, file, place('task-two'));
    expect(unfinishedTask(video, file)).toBe('task-two');
    for (let index = 0; index < 20; index += 1) {
      rememberUpload(video, new File([], `clip-${index}.mp4`, { lastModified: index }), place(`task-${index}`));
    }
    expect(JSON.parse(localStorage.getItem('unfinishedUploads') ?? '[]')).toHaveLength(8);
  });

  it('does no harm where storage holds nonsense or is not to be had', () => {
    localStorage.setItem('unfinishedUploads', '{"not":"a list"}');
    expect(unfinishedTask(video, file)).toBeNull();
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('denied');
    });
    expect(unfinishedTask(video, file)).toBeNull();
    vi.restoreAllMocks();
  });
});

// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { RepairTask, TaskStatus } from '@/lib/contract/repair';
import { nextRepair, type RepairEvent, type RepairState, taskOf } from '@/store/repair-machine';
import { emptyReport } from '../../support/repair-report';

const first = new File(['broken'], 'holiday.mp4');
const sample = new File(['plays'], 'plays.mp4');
const holiday = { name: 'holiday.mp4', size: 6 };
const resultUrl = 'https://files.example/1';

const task = (status: TaskStatus): RepairTask => ({
  taskId: 'task-1',
  type: 17,
  fileName: holiday.name,
  fileSize: holiday.size,
  status,
  queuePosition: status === 'waiting' ? 3 : null,
  queueSeconds: null,
  report: null,
  downloadUrl: null,
  downloadName: null,
  expiresAt: '2026-01-01T00:00:00Z',
});
const failed = { phase: 'failure', task: task('failure'), resultUrl: null } as const;
const done = { phase: 'success', task: task('success'), resultUrl } as const;
const waiting = {
  phase: 'waiting',
  taskId: 'task-1',
  file: holiday,
  place: null,
  unreachable: false,
} as const;
const sending = { phase: 'uploading', file: first, sent: 0, taskId: null, sampleFor: null } as const;
const INTERRUPTED = 'The upload was interrupted. Please choose the file again.';

const states = {
  idle: { phase: 'idle', error: null, other: null },
  'idle, refused': { phase: 'idle', error: 'No.', other: null },
  sending,
  'sending, placed': { ...sending, taskId: 'task-1' },
  'sending, half': { ...sending, sent: 3 },
  'sending, placed, half': { ...sending, taskId: 'task-1', sent: 3 },
  'adding a sample': { phase: 'uploading', file: sample, sent: 0, taskId: null, sampleFor: failed },
  'adding a sample, placed': { phase: 'uploading', file: sample, sent: 0, taskId: 'task-1', sampleFor: failed },
  'adding a sample, half': { phase: 'uploading', file: sample, sent: 3, taskId: null, sampleFor: failed },
  'adding a sample to a success': { phase: 'uploading', file: sample, sent: 0, taskId: null, sampleFor: done },
  resumed: { ...waiting, file: null },
  'resumed, silent': { ...waiting, file: null, unreachable: true },
  waiting,
  'waiting, third': { ...waiting, place: { position: 3, seconds: null } },
  'waiting, silent': { ...waiting, unreachable: true },
  failure: { ...failed, error: null },
  'failure, with words': { ...failed, error: 'No.' },
  success: { ...done, error: null },
  'success, with words': { ...done, error: 'No.' },
  stopped: { phase: 'stopped', taskId: 'task-1', file: holiday, error: 'No.', again: first },
  'stopped before its place': { phase: 'stopped', taskId: null, file: holiday, error: 'No.', again: first },
  'stopped, file lost': { phase: 'stopped', taskId: 'task-1', file: holiday, error: INTERRUPTED, again: null },
  gone: { phase: 'gone' },
} as const satisfies Record<string, RepairState>;

const events = {
  refuse: { type: 'refuse', error: 'No.', other: null },
  send: { type: 'send', file: first },
  addSample: { type: 'addSample', file: sample },
  place: { type: 'place', taskId: 'task-1' },
  progress: { type: 'progress', sent: 3 },
  refused: { type: 'refused', error: 'No.' },
  broke: { type: 'broke', error: 'No.' },
  started: { type: 'started', lost: false },
  'started, lost': { type: 'started', lost: true },
  resume: { type: 'resume', taskId: 'task-1' },
  'told: waiting': { type: 'told', task: task('waiting'), resultUrl: null },
  'told: running': { type: 'told', task: task('running'), resultUrl: null },
  'told: success': { type: 'told', task: task('success'), resultUrl },
  'told: failure': { type: 'told', task: task('failure'), resultUrl: null },
  'told: uploading': { type: 'told', task: task('uploading'), resultUrl: null },
  'told: deleted': { type: 'told', task: task('deleted'), resultUrl: null },
  silence: { type: 'silence' },
  gone: { type: 'gone' },
  notDeleted: { type: 'notDeleted', error: 'No.' },
  cancel: { type: 'cancel' },
  startOver: { type: 'startOver' },
} as const satisfies Record<string, RepairEvent>;

type State = keyof typeof states;
type Event = keyof typeof events;

/** What every event does whatever the state was. */
const always: Partial<Record<Event, State>> = { send: 'sending', resume: 'resumed', startOver: 'idle' };

const told: Partial<Record<Event, State>> = {
  'told: waiting': 'waiting, third',
  'told: running': 'waiting',
  'told: success': 'success',
  'told: failure': 'failure',
  'told: uploading': 'stopped, file lost',
  'told: deleted': 'gone',
};

/** For each state what the events make of it; an event that is not named changes nothing. */
const table: Record<State, Partial<Record<Event, State>>> = {
  idle: { refuse: 'idle, refused' },
  'idle, refused': { refuse: 'idle, refused' },
  sending: {
    place: 'sending, placed',
    progress: 'sending, half',
    refused: 'idle, refused',
    broke: 'stopped before its place',
    cancel: 'idle',
  },
  'sending, placed': {
    place: 'sending, placed',
    progress: 'sending, placed, half',
    refused: 'idle, refused',
    broke: 'stopped',
    started: 'waiting',
    'started, lost': 'waiting, silent',
    cancel: 'idle',
  },
  'sending, half': {
    place: 'sending, placed, half',
    progress: 'sending, half',
    refused: 'idle, refused',
    broke: 'stopped before its place',
    cancel: 'idle',
  },
  'sending, placed, half': {
    place: 'sending, placed, half',
    progress: 'sending, placed, half',
    refused: 'idle, refused',
    broke: 'stopped',
    started: 'waiting',
    'started, lost': 'waiting, silent',
    cancel: 'idle',
  },
  'adding a sample': {
    place: 'adding a sample, placed',
    progress: 'adding a sample, half',
    refused: 'failure, with words',
    broke: 'failure, with words',
    started: 'waiting',
    'started, lost': 'waiting',
    cancel: 'failure',
  },
  'adding a sample, placed': {
    place: 'adding a sample, placed',
    refused: 'failure, with words',
    broke: 'failure, with words',
    started: 'waiting',
    'started, lost': 'waiting',
    cancel: 'failure',
  },
  'adding a sample, half': {
    progress: 'adding a sample, half',
    refused: 'failure, with words',
    broke: 'failure, with words',
    started: 'waiting',
    'started, lost': 'waiting',
    cancel: 'failure',
  },
  'adding a sample to a success': {
    refused: 'success, with words',
    broke: 'success, with words',
    started: 'waiting',
    'started, lost': 'waiting',
    cancel: 'success',
  },
  resumed: { ...told, silence: 'resumed, silent', gone: 'gone', cancel: 'idle' },
  'resumed, silent': { ...told, silence: 'resumed, silent', gone: 'gone', cancel: 'idle' },
  waiting: { ...told, silence: 'waiting, silent', gone: 'gone', cancel: 'idle' },
  'waiting, third': { ...told, gone: 'gone', cancel: 'idle' },
  'waiting, silent': { ...told, silence: 'waiting, silent', gone: 'gone', cancel: 'idle' },
  failure: {
    refuse: 'failure, with words',
    notDeleted: 'failure, with words',
    addSample: 'adding a sample',
    gone: 'gone',
  },
  'failure, with words': {
    refuse: 'failure, with words',
    notDeleted: 'failure, with words',
    addSample: 'adding a sample',
    gone: 'gone',
  },
  success: {
    refuse: 'success, with words',
    notDeleted: 'success, with words',
    addSample: 'adding a sample to a success',
    gone: 'gone',
  },
  'success, with words': {
    refuse: 'success, with words',
    notDeleted: 'success, with words',
    addSample: 'adding a sample to a success',
    gone: 'gone',
  },
  stopped: {},
  'stopped before its place': {},
  'stopped, file lost': {},
  gone: {},
};

/** Pairs whose outcome has no name of its own in the table above. */
const elsewhere: Partial<Record<State, readonly Event[]>> = {
  'adding a sample, placed': ['progress'],
  'adding a sample, half': ['place'],
  'adding a sample to a success': ['place', 'progress'],
  'waiting, third': ['silence'],
};

describe.each(Object.keys(states) as State[])('a tool that is: %s', (name) => {
  it.each((Object.keys(events) as Event[]).filter((event) => !elsewhere[name]?.includes(event)))(
    'after %s',
    (event) => {
      const before: RepairState = states[name];
      const expected = always[event] ?? table[name][event];
      const after = nextRepair(before, events[event]);
      if (expected) expect(after).toEqual(states[expected]);
      else expect(after).toBe(before);
    },
  );
});

describe('what has no name in the table', () => {
  it('keeps the repair that the sample is for, and the place in the queue', () => {
    expect(nextRepair(states['adding a sample, placed'], events.progress)).toEqual({
      ...states['adding a sample, placed'],
      sent: 3,
    });
    expect(nextRepair(states['adding a sample, half'], events.place)).toEqual({
      ...states['adding a sample, half'],
      taskId: 'task-1',
    });
    for (const event of [events.place, events.progress]) {
      expect(nextRepair(states['adding a sample to a success'], event)).toMatchObject({ sampleFor: done });
    }
    expect(nextRepair(states['waiting, third'], events.silence)).toEqual({
      ...states['waiting, third'],
      unreachable: true,
    });
  });

  it('names the repaired file’s task in the address while a sample is added, and none where there is none', () => {
    const tasks = Object.fromEntries((Object.keys(states) as State[]).map((name) => [name, taskOf(states[name])]));
    expect(Object.keys(tasks).filter((name) => tasks[name] === null)).toEqual([
      'idle',
      'idle, refused',
      'sending',
      'sending, half',
      'stopped before its place',
      'gone',
    ]);
    expect(tasks['adding a sample']).toBe('task-1');
  });

  it('calls a success with a report of “not repairable” a failure', () => {
    const odd = { ...task('success'), report: emptyReport };
    expect(nextRepair(states.waiting, { type: 'told', task: odd, resultUrl: null }).phase).toBe('failure');
  });
});

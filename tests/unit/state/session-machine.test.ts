// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { nextSession, type Session, type SessionEvent, type UserInfo } from '@/store/session-machine';

const person = (email: string): UserInfo => ({
  Authorization: `token of ${email}`,
  id: email,
  email,
  firstName: '',
  lastName: '',
  address: '',
  country: '',
  hasPassword: true,
  createdAt: '2026-01-01T00:00:00Z',
});
const ann = person('ann@example.com');
const ben = person('ben@example.com');

const states = {
  unknown: { is: 'unknown' },
  checking: { is: 'checking', user: null },
  'checking Ann': { is: 'checking', user: ann },
  unanswered: { is: 'unanswered', user: null },
  'unanswered Ann': { is: 'unanswered', user: ann },
  Ann: { is: 'signed-in', user: ann },
  Ben: { is: 'signed-in', user: ben },
  out: { is: 'signed-out', told: true },
  'out, untold': { is: 'signed-out', told: false },
} as const satisfies Record<string, Session>;

const events = {
  check: { type: 'check', user: null },
  'check Ann': { type: 'check', user: ann },
  'confirm Ben': { type: 'confirm', user: ben },
  'signIn Ben': { type: 'signIn', user: ben },
  'change Ben': { type: 'change', user: ben },
  noAnswer: { type: 'noAnswer' },
  noCode: { type: 'noCode' },
  end: { type: 'end', told: true },
  'nobody there': { type: 'end', told: false },
} as const satisfies Record<string, SessionEvent>;

type State = keyof typeof states;
type Row = Record<keyof typeof events, State>;

/** What every event does whatever the state was. */
const always = {
  check: 'checking',
  'check Ann': 'checking Ann',
  'signIn Ben': 'Ben',
  end: 'out',
  'nobody there': 'out, untold',
} as const;

/** The rest of each row: a state of its own name means that nothing changes. */
const quiet = (state: State): Row => ({
  ...always,
  'confirm Ben': state,
  'change Ben': state,
  noAnswer: state,
  noCode: state,
});

const table: Record<State, Row> = {
  unknown: quiet('unknown'),
  checking: { ...always, 'confirm Ben': 'Ben', 'change Ben': 'checking', noAnswer: 'unanswered', noCode: 'unanswered' },
  'checking Ann': {
    ...always,
    'confirm Ben': 'Ben',
    'change Ben': 'checking Ann',
    noAnswer: 'Ann',
    noCode: 'unanswered Ann',
  },
  unanswered: quiet('unanswered'),
  'unanswered Ann': quiet('unanswered Ann'),
  Ann: { ...quiet('Ann'), 'change Ben': 'Ben' },
  Ben: quiet('Ben'),
  out: quiet('out'),
  'out, untold': quiet('out, untold'),
};

describe.each(Object.keys(states) as State[])('a session that is %s', (name) => {
  it.each(Object.keys(events) as (keyof typeof events)[])('after %s', (event) => {
    const before: Session = states[name];
    const after = nextSession(before, events[event]);
    expect(after).toEqual(states[table[name][event]]);
  });
});

it('hands the same object back where nothing changes, so that nothing is drawn again', () => {
  expect(nextSession(states.out, events['confirm Ben'])).toBe(states.out);
  expect(nextSession(states.Ann, events.noAnswer)).toBe(states.Ann);
});

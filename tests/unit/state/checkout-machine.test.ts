// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { plans } from '@/lib/catalog/plans';
import { type Checkout, type CheckoutEvent, nextCheckout } from '@/store/checkout-machine';

const [plan, other] = plans;
if (!plan || !other) throw new Error('The catalogue has no plans.');
const bought = { plan, renews: null };
const email = 'ann@example.com';
const redirectUrl = 'https://pay.example/1';

const states = {
  closed: { is: 'closed' },
  asking: { is: 'email', ...bought, email: '', problem: '' },
  'asking again': { is: 'email', ...bought, email, problem: 'No way.' },
  ordering: { is: 'ordering', ...bought, email },
  paying: { is: 'paying', ...bought, email, redirectUrl },
  'ordering the other': { is: 'ordering', plan: other, renews: 'licence', email: 'ben@example.com' },
} as const satisfies Record<string, Checkout>;

const events = {
  'guest opens': { type: 'open', ...bought, email: null },
  'Ben renews': { type: 'open', plan: other, renews: 'licence', email: 'ben@example.com' },
  address: { type: 'address', email },
  pay: { type: 'pay', redirectUrl },
  askAgain: { type: 'askAgain', problem: 'No way.' },
  close: { type: 'close' },
} as const satisfies Record<string, CheckoutEvent>;

type State = keyof typeof states;

const table: Record<Exclude<State, 'ordering the other'>, Record<keyof typeof events, State>> = {
  closed: {
    'guest opens': 'asking',
    'Ben renews': 'ordering the other',
    address: 'closed',
    pay: 'closed',
    askAgain: 'closed',
    close: 'closed',
  },
  asking: {
    'guest opens': 'asking',
    'Ben renews': 'asking',
    address: 'ordering',
    pay: 'asking',
    askAgain: 'asking',
    close: 'closed',
  },
  'asking again': {
    'guest opens': 'asking again',
    'Ben renews': 'asking again',
    address: 'ordering',
    pay: 'asking again',
    askAgain: 'asking again',
    close: 'closed',
  },
  ordering: {
    'guest opens': 'ordering',
    'Ben renews': 'ordering',
    address: 'ordering',
    pay: 'paying',
    askAgain: 'asking again',
    close: 'closed',
  },
  paying: {
    'guest opens': 'paying',
    'Ben renews': 'paying',
    address: 'paying',
    pay: 'paying',
    askAgain: 'paying',
    close: 'closed',
  },
};

describe.each(Object.keys(table) as (keyof typeof table)[])('a checkout that is %s', (name) => {
  it.each(Object.keys(events) as (keyof typeof events)[])('after: %s', (event) => {
    const before: Checkout = states[name];
    const after = nextCheckout(before, events[event]);
    expect(after).toEqual(states[table[name][event]]);
    if (table[name][event] === name) expect(after).toBe(before);
  });
});

// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { OwnedProduct } from '@/lib/contract/account';
import { orderStatuses } from '@/lib/contract/order-statuses';
import { isBlank, newPasswordError, passwordError, passwordMessages, retypeError } from '@/lib/contract/password-rules';
import { holdsWords } from '@/lib/utils/faq-words';
import { momentInWords } from '@/lib/utils/moment-words';
import { orderWords } from '@/lib/utils/order-words';
import { planActions, planStateWords } from '@/lib/utils/plan-state-words';

const row: OwnedProduct = {
  id: 's1',
  product: 'Mendara Data Recovery for Windows',
  currentPlan: 'Monthly',
  type: 'month',
  expirationDate: '2026-12-01T14:05:00.000Z',
  status: 'normal',
  licenceCode: 'A',
  autoRenew: true,
  nextCharge: { amount: '9.99', currency: 'USD', at: '2026-12-01T14:05:00.000Z' },
};

describe('a plan in words', () => {
  it('names the moment of the next charge as the mails do', () => {
    expect(momentInWords(row.expirationDate ?? '')).toBe('December 1, 2026, 14:05 UTC');
    expect(planStateWords(row)).toEqual({
      badge: 'Active',
      date: 'December 1, 2026, 14:05 UTC',
      note: 'Renews then for $9.99, unless you cancel before',
    });
  });

  it('says what has ended as what it is, never “Never”, and offers to renew it', () => {
    const ended = { ...row, status: 'expired', autoRenew: false, nextCharge: null } as const;
    const perpetual = { ...ended, type: 'perpetual', endedBy: 'withdrawal' } as const;
    expect(planStateWords(perpetual)).toMatchObject({ badge: 'Withdrawn', date: 'December 1, 2026, 14:05 UTC' });
    expect(planStateWords({ ...ended, endedBy: 'refund' }).badge).toBe('Refunded');
    expect(planStateWords({ ...ended, endedBy: 'dispute' }).badge).toBe('Payment disputed');
    expect(planStateWords(ended).badge).toBe('Expired');
    expect(planStateWords({ ...perpetual, expirationDate: null }).date).toBe('Ended');
    expect(planActions(ended)).toEqual({ renew: true, resume: false, download: false, cancel: false });
  });

  it('offers the download of every plan that runs, and to renew one whose charge was refused', () => {
    expect(planActions(row)).toEqual({ renew: false, resume: false, download: true, cancel: true });
    expect(planActions({ ...row, status: 'unsubscribe', autoRenew: false })).toMatchObject({
      resume: true,
      download: true,
    });
    const unpaid = { ...row, nextCharge: null, graceUntil: '2026-12-04T14:05:00.000Z' };
    expect(planActions(unpaid).renew).toBe(true);
    expect(planStateWords(unpaid).date).toBe('December 4, 2026, 14:05 UTC');
  });
});

describe('an order in words', () => {
  it('thanks for a paid one only, and never shows a code', () => {
    for (const status of orderStatuses) {
      const { title, lead } = orderWords({ status, paidAt: status === 'success' ? '2026-01-01' : null });
      expect(title.includes('Thank you')).toBe(status === 'success');
      expect([title, lead]).not.toContain(status);
      expect(`${title} ${lead}`).not.toMatch(/\b(created|it is [a-z]+\.)/);
    }
    expect(orderWords({ status: 'cancelled', paidAt: '2026-01-01' }).title).toBe('This order is closed');
  });
});

describe('a blank password', () => {
  it('is a missing one', () => {
    expect(isBlank('      ')).toBe(true);
    expect(newPasswordError('      ')).toBe(passwordMessages.required);
    expect(passwordError('      ')).toBe(passwordMessages.required);
    expect(retypeError('secret', '      ')).toBe(passwordMessages.retype);
    expect(newPasswordError('  a b c  ')).toBeUndefined();
  });
});

describe('the search of the FAQ', () => {
  it.each([
    ['refund', 'Money back within 7 days'],
    ['license', 'One licence of a program'],
    ['log in', 'How do I sign in?'],
    ['invoices', 'Where is my receipt?'],
    ['virus', 'Is the download safe?'],
  ])('finds by “%s”', (typed, text) => {
    expect(holdsWords(text, typed)).toBe(true);
  });
  it('does not find what is not there', () => {
    expect(holdsWords('Money back within 7 days', 'zeppelin')).toBe(false);
    expect(holdsWords('Money back within 7 days', 'refund zeppelin')).toBe(false);
  });
});

import { support } from '../catalog/facts';
import type { Question } from './sections';

/** What every store page says in the same words. */

export const supportPromise = {
  title: `A reply within ${support.replyHours} hours`,
  text: `Support is there ${support.hours}, before and after you buy.`,
} as const;

export const checkoutPromise = {
  title: `Checkout over ${support.encryption}`,
  text: 'Card numbers go to the payment provider. We don’t collect or store them.',
} as const;

export const buyingQuestions: readonly Question[] = [
  {
    question: 'Do I need an account first?',
    answer:
      'No. Enter your e-mail at checkout. We create the account and send you a password by e-mail, which you can change.',
  },
  {
    question: 'How do I cancel a subscription?',
    answer: 'In [your account](/account), under My products. Your plan keeps working until the date shown there.',
  },
  {
    question: 'When is Ultimate the better choice?',
    answer: 'If you expect to need it again after a year. It is paid once and does not renew.',
  },
  {
    question: 'My payment is pending. What now?',
    answer: 'Some methods take longer. We send the result by e-mail, and you don’t need to pay again.',
  },
];

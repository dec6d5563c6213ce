import { sandboxKey } from './examples';
import type { Operation, Parameter } from './operation';

const tag = 'Development';
const detail = 'On the computer that serves the site only, unless the server is told otherwise.';
const params: Record<string, Parameter> = { key: { what: 'The key of the payment page.', example: sandboxKey } };
const mail = {
  id: '01JD8ZD6F8H0K2M4P6R8T0V2X4',
  to: 'ann@example.com',
  subject: 'Confirm your e-mail address',
  createdAt: '2026-11-22T10:00:00.000Z',
};

export const development: Operation[] = [
  {
    method: 'get',
    path: '/sandbox/checkout/{key}',
    id: 'readSandboxCheckout',
    tag,
    summary: 'What the sandbox’s payment page shows',
    detail,
    params,
    answer: 'SandboxCheckout',
    examples: [
      {
        title: 'An open payment',
        obj: {
          title: 'Mendara Data Recovery for Windows, Pro',
          email: 'ann@example.com',
          amount: '19.99',
          currency: 'USD',
          status: 'open',
        },
      },
    ],
  },
  {
    method: 'post',
    path: '/sandbox/checkout/{key}',
    id: 'actOnSandboxCheckout',
    tag,
    summary: 'Pays with a test card, or cancels',
    detail,
    params,
    body: 'SandboxPay',
    answer: 'SandboxNext',
    refusals: ['conflict', 'paymentRefused'],
    examples: [
      {
        title: 'A card that is taken later',
        body: { cardNumber: '4000 0000 0000 0259' },
        obj: { url: 'http://localhost:3000/pending?orderId=M7K2Q9TX4B' },
      },
      {
        title: 'Cancel',
        body: { action: 'cancel' },
        obj: { url: 'http://localhost:3000/data-recovery-store?toast=error&tip=payment_cancelled' },
      },
    ],
  },
  {
    method: 'post',
    path: '/sandbox/settle/{key}',
    id: 'settleSandboxPayment',
    tag,
    summary: 'Ends a pending payment as a bank would later, or takes a paid one back',
    detail,
    params,
    body: 'SandboxSettle',
    answer: 'Nothing',
    refusals: ['conflict'],
    examples: [{ title: 'It succeeds', body: { outcome: 'succeeded' }, obj: null }],
  },
  {
    method: 'get',
    path: '/outbox',
    id: 'listMails',
    tag,
    summary: 'The mails of the embedded outbox, the newest first',
    detail,
    answer: 'OutboxRows',
    refusals: ['notFound'],
    examples: [{ title: 'One mail', obj: [mail] }],
  },
  {
    method: 'get',
    path: '/outbox/{id}',
    id: 'readMail',
    tag,
    summary: 'One mail as it was written',
    detail,
    params: { id: { what: 'The id of a row.', example: mail.id } },
    answer: 'OutboxMail',
    examples: [{ title: 'A mail', obj: { ...mail, text: 'Your code: 204816', html: '<p>Your code: 204816</p>' } }],
  },
];

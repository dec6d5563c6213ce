import { licenceCode, linkKey, order, paidOrder, sandboxKey } from './examples';
import type { Operation, Parameter } from './operation';

const tag = 'Buying';
const orderNumber: Parameter = { what: 'The number of the order.', example: order.orderId };
const key: Parameter = { what: 'The key of the mailed link.', example: linkKey };

/** What is sold of Data Recovery for Windows, in part. */
const productRows = [
  {
    productsId: 'recovery-win-pro',
    name: order.productName,
    website: 'recovery',
    os: 'win',
    plan: 'Pro',
    type: 'year',
    price: '19.99',
    oldPrice: '89.95',
    currency: 'USD',
    pcs: 1,
  },
];

export const buying: Operation[] = [
  {
    method: 'post',
    path: '/products/list',
    id: 'listProducts',
    tag,
    summary: 'What can be bought, with ids and prices',
    body: 'ProductsList',
    answer: 'ProductRows',
    examples: [
      {
        title: 'Data Recovery for Windows',
        body: { website: 'recovery', os: 'win' },
        obj: productRows,
      },
    ],
  },
  {
    method: 'get',
    path: '/products/list',
    id: 'readProducts',
    tag,
    summary: 'The same by a GET, which a cache can ask again',
    detail: 'The answer has an `ETag`; asked again with `If-None-Match` it is 304 as long as nothing changed.',
    query: {
      website: { what: 'recovery, duplicate or whatsapp.', example: 'recovery', required: true },
      os: { what: 'win or mac; both where it is missing.', example: 'win' },
    },
    answer: 'ProductRows',
    examples: [
      {
        title: 'Data Recovery for Windows',
        obj: productRows,
      },
    ],
  },
  {
    method: 'post',
    path: '/pay/create',
    id: 'createOrder',
    tag,
    summary: 'Makes an order',
    detail:
      'The price comes from `productsId` alone. The same `Idempotency-Key` with the same body answers the same order; with another body it is refused.',
    session: 'accepted',
    headers: {
      'Idempotency-Key': { what: 'One for each attempt to buy.', example: '5b0e2a51-6a4c-4a8e-9a55-1f3c0d7f6b10' },
    },
    body: 'Order',
    answer: 'OrderCreated',
    refusals: ['conflict', 'tooManyRequests', 'notFound'],
    examples: [
      {
        title: 'Order',
        body: {
          cancelUrl: 'http://localhost:3000/data-recovery-store?toast=error&tip=payment_cancelled',
          email: 'ann@example.com',
          marketingChannel: 'SEO',
          orderAdInfoExtend: '{}',
          transparentExtend: '{}',
          productsId: 'recovery-win-pro',
          productsPriceId: 0,
          successUrl: 'http://localhost:3000/packge-loading?website=recovery',
          userExtend: '{}',
        },
        obj: { orderId: order.orderId },
      },
    ],
  },
  {
    method: 'post',
    path: '/pay',
    id: 'requestPayment',
    tag,
    summary: 'The page on which an order is paid',
    detail: 'Asked again for the same order, it answers the same page.',
    session: 'accepted',
    body: 'Pay',
    answer: 'PayAnswer',
    refusals: ['notFound', 'conflict', 'unavailable'],
    examples: [
      {
        title: 'Pay',
        body: { orderId: order.orderId, payExtend: '{}' },
        obj: { redirectUrl: `http://localhost:3000/checkout?key=${sandboxKey}` },
      },
    ],
  },
  {
    method: 'get',
    path: '/pay/info/{orderId}',
    id: 'readOrder',
    tag,
    summary: 'How an order stands',
    detail: 'The licence is shown to its signed-in owner alone.',
    session: 'accepted',
    params: { orderId: orderNumber },
    answer: 'PayInfo',
    examples: [{ title: 'Paid', obj: { ...order, status: 'success', paidAt: paidOrder.paidAt, licenceCode: null } }],
  },
  {
    method: 'get',
    path: '/pay/provider',
    id: 'readProvider',
    tag,
    summary: 'Who takes payments here',
    answer: 'PayProvider',
    examples: [{ title: 'The sandbox', obj: { name: 'sandbox', publishableKey: null } }],
  },
  {
    method: 'post',
    path: '/orders/lookup',
    id: 'lookUpOrder',
    tag,
    summary: 'Mails a link to an order',
    detail: 'Only if number and address belong together; the answer does not tell.',
    body: 'LookUp',
    answer: 'Nothing',
    refusals: ['tooManyRequests'],
    examples: [{ title: 'Look up', body: { orderId: order.orderId, email: 'ann@example.com' }, obj: null }],
  },
  {
    method: 'get',
    path: '/orders/link/{key}',
    id: 'openLinkedOrder',
    tag,
    summary: 'The order that a mailed link opens',
    params: { key },
    answer: 'OpenedOrder',
    refusals: ['expired'],
    examples: [{ title: 'A paid order', obj: { ...paidOrder, licenceCode } }],
  },
  {
    method: 'get',
    path: '/orders/link/{key}/receipt',
    id: 'readLinkedReceipt',
    tag,
    summary: 'Its receipt',
    params: { key },
    answer: { file: 'application/pdf', what: 'The receipt.' },
    refusals: ['expired'],
  },
  {
    method: 'post',
    path: '/orders/{id}/withdraw',
    id: 'withdraw',
    tag,
    summary: 'The right of withdrawal, in two steps',
    detail:
      'Without `confirm` it tells what would be withdrawn from and changes nothing. The owner sends the token, a guest the `key` of the mailed link.',
    session: 'accepted',
    params: { id: orderNumber },
    body: 'Withdraw',
    answer: 'Withdrawal',
    refusals: ['conflict', 'expired'],
    examples: [
      {
        title: 'The first step',
        body: { confirm: false },
        obj: {
          orderId: order.orderId,
          title: `${order.productName}, Pro`,
          amount: order.amount,
          currency: order.currency,
          deadline: paidOrder.withdrawableUntil,
          withdrawnAt: null,
        },
      },
    ],
  },
  {
    method: 'post',
    path: '/licences/activate',
    id: 'activateLicence',
    tag,
    summary: 'A desktop program’s first use of a licence',
    body: 'Activate',
    answer: 'Activated',
    refusals: ['notFound', 'expired', 'tooManyRequests'],
    examples: [
      {
        title: 'Activate',
        body: { licenceCode },
        obj: { product: order.productName, plan: 'Pro', pcs: 1, expirationDate: '2027-11-02T08:15:00.000Z' },
      },
    ],
  },
  {
    method: 'post',
    path: '/pay/webhook/{provider}',
    id: 'takeWebhook',
    tag,
    summary: 'What a payment provider tells',
    detail: 'Signed over the raw body, as the provider does it. The body below is the sandbox’s.',
    params: { provider: { what: 'Who tells.', example: 'sandbox', schema: { enum: ['sandbox', 'stripe'] } } },
    headers: {
      'Sandbox-Signature': {
        what: 'HMAC-SHA-256 of the seconds, a full stop and the body: `t=<seconds>,v1=<hex>`.',
        example: `t=1795334400,v1=${'0'.repeat(64)}`,
      },
    },
    body: 'SandboxWebhook',
    answer: 'Applied',
    refusals: ['forbidden'],
    examples: [
      {
        title: 'Paid',
        body: {
          id: 'evt_01JD8ZC4',
          type: 'succeeded',
          orderId: order.orderId,
          reference: sandboxKey,
          cents: 1999,
          currency: 'USD',
        },
        obj: { applied: true },
      },
    ],
  },
];

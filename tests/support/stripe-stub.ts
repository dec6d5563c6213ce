import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Made = { id: string; status: string; fields: URLSearchParams };

/** What stands in for Stripe: the few calls that are used, on loopback, with Stripe's rules for keys and idempotency. */
export type StripeStub = {
  url: string;
  secretKey: string;
  webhookSecret: string;
  sessions: Made[];
  intents: Made[];
  refunds: Made[];
  /** Answers every call with this status instead, while it is set. */
  trouble: number | null;
  /** Declines the next off-session charge. */
  declineNext: boolean;
  /** An event about a session or a payment intent, as Stripe sends it: raw body and signature; sent again, it has its `id` again. */
  event(type: string, object: Record<string, unknown>, at?: Date, id?: string): { body: string; header: string };
  sessionObject(session: Made, paymentStatus?: string): Record<string, unknown>;
  intentObject(intent: Made): Record<string, unknown>;
  stop(): Promise<void>;
};

async function fieldsOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

const newId = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;

function metadataOf(fields: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of fields) {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    if (key) found[key] = value;
  }
  return found;
}

type Reply = { status: number; body: unknown };

function make(list: Made[], prefix: string, status: string, fields: URLSearchParams): Made {
  const made = { id: newId(prefix), status, fields };
  list.push(made);
  return made;
}

function post(stub: StripeStub, path: string, fields: URLSearchParams): Reply {
  if (path === '/v1/checkout/sessions') {
    const { id, status } = make(stub.sessions, 'cs', 'open', fields);
    return { status: 200, body: { id, status, client_secret: `${id}_secret_x` } };
  }
  const expiring = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(path)?.[1];
  const session = stub.sessions.find((made) => made.id === expiring);
  if (expiring && session?.status !== 'open')
    return { status: 400, body: { error: { type: 'invalid_request_error' } } };
  if (session) {
    session.status = 'expired';
    return { status: 200, body: { id: session.id, status: session.status } };
  }
  if (path === '/v1/refunds') return { status: 200, body: { id: make(stub.refunds, 're', 'succeeded', fields).id } };
  const intent = make(stub.intents, 'pi', stub.declineNext ? 'requires_payment_method' : 'succeeded', fields);
  if (!stub.declineNext) return { status: 200, body: { id: intent.id, status: intent.status } };
  stub.declineNext = false;
  const payment = { id: intent.id, status: intent.status };
  return { status: 402, body: { error: { code: 'card_declined', type: 'card_error', payment_intent: payment } } };
}

function get(stub: StripeStub, id: string): Reply {
  const paid = stub.sessions.find((made) => made.id === id.replace('pi_', 'cs_'));
  if (paid && id.startsWith('pi_')) {
    const orderId = paid.fields.get('payment_intent_data[metadata][orderId]');
    return { status: 200, body: { id, object: 'payment_intent', metadata: { orderId } } };
  }
  const session = stub.sessions.find((made) => made.id === id);
  if (!session) return { status: 404, body: { error: { code: 'resource_missing' } } };
  const payment = { id: id.replace('cs_', 'pi_'), customer: 'cus_1', payment_method: 'pm_1' };
  return {
    status: 200,
    body: { id, status: session.status, client_secret: `${id}_secret_x`, payment_intent: payment },
  };
}

/** Starts the stand-in. */
export async function startStripeStub(): Promise<StripeStub> {
  const replies = new Map<string, { status: number; body: unknown }>();
  const stub: StripeStub = {
    url: '',
    secretKey: 'sk_test_stub',
    webhookSecret: 'whsec_stub',
    sessions: [],
    intents: [],
    refunds: [],
    trouble: null,
    declineNext: false,
    event(type, object, at = new Date(), id = newId('evt')) {
      const body = JSON.stringify({ id, object: 'event', type, data: { object } });
      const seconds = Math.floor(at.getTime() / 1000);
      const mac = createHmac('sha256', stub.webhookSecret).update(`${seconds}.${body}`).digest('hex');
      return { body, header: `t=${seconds},v1=${mac}` };
    },
    sessionObject: (session, paymentStatus = 'paid') => ({
      id: session.id,
      object: 'checkout.session',
      amount_total: Number(session.fields.get('line_items[0][price_data][unit_amount]')),
      currency: session.fields.get('line_items[0][price_data][currency]'),
      payment_status: paymentStatus,
      metadata: metadataOf(session.fields),
    }),
    intentObject: (intent) => ({
      id: intent.id,
      object: 'payment_intent',
      amount: Number(intent.fields.get('amount')),
      currency: intent.fields.get('currency'),
      metadata: metadataOf(intent.fields),
    }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };

  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', stub.url);
    const fields = await fieldsOf(request);
    const key = String(request.headers['idempotency-key'] ?? '');
    const isKnown = request.headers.authorization === `Bearer ${stub.secretKey}` && !!request.headers['stripe-version'];
    let reply = { status: 401, body: { error: { type: 'invalid_request_error' } } as unknown };
    if (stub.trouble !== null) reply = { status: stub.trouble, body: { error: { type: 'api_error' } } };
    else if (isKnown && url.search === '?limit=1') reply = { status: 200, body: { object: 'list', data: [] } };
    else if (isKnown && request.method === 'GET') reply = get(stub, url.pathname.split('/').at(-1) ?? '');
    else if (isKnown) {
      const name = `${key} ${url.pathname} ${fields}`;
      const isReused = [...replies.keys()].some((other) => other.startsWith(`${key} `) && other !== name);
      reply = isReused
        ? { status: 400, body: { error: { type: 'idempotency_error' } } }
        : (replies.get(name) ?? post(stub, url.pathname, fields));
      replies.set(name, reply);
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stub;
}

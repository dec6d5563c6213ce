import { randomUUID } from 'node:crypto';
import { sandboxCards } from '@/lib/contract/sandbox-cards';
import { makePdfWithoutTable } from '../support/documents';
import { orderPayloadAt } from '../support/order-payload';
import { NODE } from './balancer';
import type { Fleet } from './fleet';

/** A file to be repaired by the tool of this type. */
export type Damaged = { type: number; name: string; bytes: Buffer };

type Envelope = { success: string; msg: string; obj: never };

/** How long an answer is waited for, and how long one that does not come is asked for again, in milliseconds. What hangs has to end with its name. */
const ANSWER_MS = 20_000;
const ASK_MS = 90_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Somebody with a browser: cookies, a token, and the wish to be served by one node or the other. */
export class Visitor {
  readonly email = `visitor.${randomUUID().slice(0, 8)}@example.com`;
  readonly #sub = randomUUID();
  readonly #cookies = new Map<string, string>();
  token = '';
  /** The second node, where there is one. */
  readonly #other: string;

  constructor(private readonly fleet: Fleet) {
    this.#other = fleet.web.length > 1 ? '1' : '0';
  }

  /** Asks a node by its number, or whichever answers; tries again where none did, as a person would, for about a minute. */
  async ask<T>(
    method: string,
    path: string,
    { node, body, headers = {} }: { node?: 0 | 1; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; obj: T; msg: string }> {
    const until = Date.now() + ASK_MS;
    for (;;) {
      try {
        const response = await fetch(`${this.fleet.url}/api/v1${path}`, {
          method,
          headers: {
            ...(this.token ? { authorization: this.token } : {}),
            ...(node === undefined ? {} : { [NODE]: String(node) }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            cookie: this.#cookieLine(),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        this.#keep(response);
        const text = await response.text();
        if (response.status >= 500)
          throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 200)}`);
        const { obj, msg } = JSON.parse(text) as Envelope;
        return { status: response.status, obj, msg };
      } catch (error) {
        if (Date.now() > until) throw error;
        await pause(1000);
      }
    }
  }

  /** Signs in at the provider: begun on one node, answered on the other, the ticket taken by the first. */
  async signIn(): Promise<void> {
    this.fleet.provider.person = { sub: this.#sub, email: this.email, email_verified: true };
    const back = `${this.fleet.url}/account?state=of-the-test`;
    let at = new URL(`${this.fleet.url}/api/v1/sso/provider/start?redirect_uri=${encodeURIComponent(back)}`);
    const jar = new Map<string, string>();
    for (let hops = 0; hops < 12 && !at.searchParams.has('ticket'); hops += 1) {
      const isOurs = at.origin === new URL(this.fleet.url).origin;
      const cookie = isOurs ? this.#cookieLine() : [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const node = at.pathname.endsWith('/callback') ? this.#other : '0';
      const response = await fetch(at, {
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: { cookie, ...(isOurs ? { [NODE]: node } : {}) },
      });
      if (isOurs) this.#keep(response);
      else keepIn(jar, response);
      at = new URL(response.headers.get('location') ?? '', at);
      if (at.pathname === '/login') throw new Error(`Signing in ended with ${at.search}`);
    }
    const { obj } = await this.ask<{ tokenValue: string; userDetail: { email: string } }>(
      'GET',
      `/sso/login?ticket=${at.searchParams.get('ticket')}`,
      { node: 0 },
    );
    if (obj.userDetail.email !== this.email) throw new Error('Somebody else was signed in.');
    this.token = obj.tokenValue;
  }

  /** Buys a plan: each step at another node, and again with the same key where no answer came. The number of the order. */
  async buy(): Promise<string> {
    const key = randomUUID();
    const order = orderPayloadAt(this.fleet.url, { email: this.email });
    const headers = { 'idempotency-key': key };
    const { orderId } = (await this.ask<{ orderId: string }>('POST', '/pay/create', { body: order, headers })).obj;
    const pay = await this.ask<{ redirectUrl: string }>('POST', '/pay', { body: { orderId, payExtend: '' } });
    const page = new URL(pay.obj.redirectUrl).searchParams.get('key');
    await this.ask('POST', `/sandbox/checkout/${page}`, { body: { cardNumber: sandboxCards.succeeds } });
    return orderId;
  }

  /** Waits until an order is paid, as told by the webhook. */
  async untilPaid(orderId: string): Promise<void> {
    await until(`order ${orderId} to be paid`, async () => {
      const { obj } = await this.ask<{ status: string }>('GET', `/pay/info/${orderId}`);
      return obj.status === 'success';
    });
  }

  /** Uploads a damaged file, a PDF unless told: the form from one node, the file to the other, the repair asked for at the first. */
  async upload(sent?: Damaged): Promise<string> {
    const { type, name, bytes } = sent ?? { type: 18, name: 'report.pdf', bytes: await makePdfWithoutTable() };
    const query = `type=${type}&fileName=${name}&fileSize=${bytes.length}`;
    type Signed = { taskId: string; upload: { url: string; fields: Record<string, string> } };
    const { obj } = await this.ask<Signed>('GET', `/oss/signature?${query}`, { node: 0 });
    const form = new FormData();
    for (const [name, value] of Object.entries(obj.upload.fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    const address = new URL(obj.upload.url, this.fleet.url);
    const isOurs = address.origin === new URL(this.fleet.url).origin;
    const answer = await fetch(address, {
      method: 'POST',
      body: form,
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: isOurs ? { [NODE]: this.#other, cookie: this.#cookieLine() } : {},
    });
    if (!answer.ok) throw new Error(`The upload was answered ${answer.status}: ${await answer.text()}`);
    const started = await this.ask('POST', `/repair/tasks/${obj.taskId}`, { node: 0 });
    if (started.status !== 200) throw new Error(`The repair did not start: ${started.msg}`);
    return obj.taskId;
  }

  /** Waits for a repair and fetches what came of it from either node. */
  async untilRepaired(taskId: string): Promise<void> {
    type Task = { status: string; report: { verdict: string } | null; downloadUrl: string | null };
    let task: Task | undefined;
    await until('a repair to end', async () => {
      task = (await this.ask<Task>('GET', `/repair/tasks/${taskId}`)).obj;
      return task.status === 'success' || task.status === 'failure';
    });
    if (task?.report?.verdict !== 'repaired') throw new Error(`A repair ended as ${JSON.stringify(task)}`);
    const file = await fetch(new URL(task.downloadUrl ?? '', this.fleet.url), {
      headers: { cookie: this.#cookieLine() },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const start = Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString();
    if (!file.ok || start !== '%PDF-') throw new Error(`A result was answered ${file.status}.`);
  }

  #cookieLine(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(response: Response): void {
    keepIn(this.#cookies, response);
  }
}

function keepIn(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  }
}

/** Waits for something to come about, for about two minutes. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isTrue()) return;
    await pause(200);
  }
  throw new Error(`Waited in vain for ${what}.`);
}

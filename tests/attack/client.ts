import { randomBytes, randomUUID } from 'node:crypto';
import type { Envelope } from '@/lib/contract/envelope';
import type { OrderRow } from '@/lib/contract/orders';
import type { OutboxMail, OutboxRow } from '@/lib/contract/outbox';
import type { OrderCreated, PayAnswer, PayInfo } from '@/lib/contract/pay';
import type { RepairTask, UploadSignature } from '@/lib/contract/repair';
import { sandboxCards } from '@/lib/contract/sandbox-cards';
import type { SsoLogin } from '@/lib/contract/session';
import type { Registered, TicketReturn } from '@/lib/contract/sign-in';
import type { ToolType } from '@/lib/contract/tool-types';
import { orderPayloadAt } from '../support/order-payload';

/** What a call brought: the status, 0 where no answer came, and the envelope. */
export type Answered<T> = { status: number; success: string; msg: string; obj: T | null };

type Ask = { body?: unknown; form?: FormData; token?: string | undefined; headers?: Record<string, string> };

/** Somebody with an account and a token. */
export type Member = { email: string; password: string; token: string };

/** A file for the repair tools; `type` is 17 video, 18 document, 19 photo. */
export type Upload = { name: string; bytes: Uint8Array; type: ToolType };

const lost = { status: 0, success: '', msg: 'no answer', obj: null };

/** An address nobody else has. */
const anyAddress = (name = 'somebody') => `${name}.${randomBytes(6).toString('hex')}@example.com`;

/** One visitor of a site; no call rejects, since servers are killed while these ask. */
export class Client {
  readonly url: string;
  #cookie = '';

  constructor(url: string) {
    this.url = url;
  }

  async ask<T>(method: string, path: string, { body, form, token, headers }: Ask = {}): Promise<Answered<T>> {
    try {
      const response = await fetch(`${this.url}/api/v1${path}`, {
        method,
        headers: {
          // A connection that is kept may be closed by the site just as it is used again, and nobody could tell that from a call that it lost.
          connection: 'close',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token ? { authorization: token } : {}),
          ...(this.#cookie ? { cookie: this.#cookie } : {}),
          ...headers,
        },
        ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      });
      this.#cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.#cookie;
      const { success, msg, obj } = (await response.json()) as Envelope<T>;
      return { status: response.status, success, msg, obj };
    } catch {
      return lost;
    }
  }

  /** What a call that succeeded carries; null otherwise. */
  async #obj<T>(method: string, path: string, ask?: Ask): Promise<T | null> {
    const { success, obj } = await this.ask<T>(method, path, ask);
    return success === '1' ? obj : null;
  }

  /** Registers, confirms with the mailed code and signs in; null when the server was lost on the way. */
  async join(email = anyAddress(), password = 'first-secret'): Promise<Member | null> {
    const redirectUri = `${this.url}/account`;
    const made = await this.#obj<Registered>('POST', '/sso/register', { body: { email, password, redirectUri } });
    const code = made && (await this.#codeFor(email));
    if (!code) return null;
    const body = { email, code, redirectUri, registrationId: made.registrationId };
    const confirmed = await this.#obj<TicketReturn>('POST', '/sso/confirm', { body });
    const token = confirmed && (await this.#tokenOf(confirmed));
    return token ? { email, password, token } : null;
  }

  async signIn(email: string, password: string): Promise<string | null> {
    const body = { email, password, redirectUri: `${this.url}/account` };
    const ticket = await this.#obj<TicketReturn>('POST', '/sso/password', { body });
    return ticket && this.#tokenOf(ticket);
  }

  async #tokenOf({ url }: TicketReturn): Promise<string | null> {
    const ticket = new URL(url).searchParams.get('ticket');
    const headers = { origin: this.url };
    return (await this.#obj<SsoLogin>('GET', `/sso/login?ticket=${ticket}`, { headers }))?.tokenValue ?? null;
  }

  async #codeFor(email: string): Promise<string | null> {
    for (let tries = 0; tries < 200; tries += 1) {
      const rows = (await this.#obj<OutboxRow[]>('GET', '/outbox')) ?? [];
      const row = rows.find(({ to }) => to === email);
      const mail = row && (await this.#obj<OutboxMail>('GET', `/outbox/${row.id}`));
      const code = mail && /\b(\d{6})\b/.exec(mail.text)?.[1];
      if (code) return code;
      await pause(50);
    }
    return null;
  }

  /** Places an order; the same `key` gives the same order. */
  async order(email: string, token?: string, key: string = randomUUID()): Promise<string | null> {
    const body = orderPayloadAt(this.url, { email });
    const headers = { 'idempotency-key': key };
    return (await this.#obj<OrderCreated>('POST', '/pay/create', { body, headers, token }))?.orderId ?? null;
  }

  /** The key of an order's payment page. */
  async payPage(orderId: string, token?: string): Promise<string | null> {
    const asked = await this.#obj<PayAnswer>('POST', '/pay', { body: { orderId, payExtend: '' }, token });
    return asked && new URL(asked.redirectUrl).searchParams.get('key');
  }

  /** Pays on the sandbox's page; true once that page said that the money was taken. */
  async pay(key: string): Promise<boolean> {
    const body = { cardNumber: sandboxCards.succeeds };
    return (await this.ask('POST', `/sandbox/checkout/${key}`, { body })).success === '1';
  }

  async statusOf(orderId: string, token?: string): Promise<PayInfo['status'] | null> {
    return (await this.#obj<PayInfo>('GET', `/pay/info/${orderId}`, { token }))?.status ?? null;
  }

  async orders(token: string): Promise<OrderRow[] | null> {
    return this.#obj<OrderRow[]>('GET', '/user/orders', { token });
  }

  askForForm({ name, bytes, type }: Upload, fileSize = bytes.length): Promise<Answered<UploadSignature>> {
    const query = new URLSearchParams({ type: String(type), fileName: name, fileSize: String(fileSize) });
    return this.ask('GET', `/oss/signature?${query}`);
  }

  send({ upload }: UploadSignature, { name, bytes }: Upload): Promise<Answered<null>> {
    const form = new FormData();
    for (const [field, value] of Object.entries(upload.fields)) form.set(field, value);
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    return this.ask('POST', '/oss/upload', { form });
  }

  /** Uploads a file and starts its repair; the task once the server said that it is started. */
  async startRepair(file: Upload): Promise<string | null> {
    const { obj } = await this.askForForm(file);
    if (!obj || (await this.send(obj, file)).success !== '1') return null;
    return (await this.#obj<RepairTask>('POST', `/repair/tasks/${obj.taskId}`)) ? obj.taskId : null;
  }

  readTask(taskId: string): Promise<RepairTask | null> {
    return this.#obj<RepairTask>('GET', `/repair/tasks/${taskId}`);
  }

  /** Waits until a repair has ended, however it ended. */
  async repaired(taskId: string): Promise<RepairTask> {
    for (;;) {
      const task = await this.readTask(taskId);
      if (task && task.status !== 'waiting' && task.status !== 'running') return task;
      await pause(100);
    }
  }
}

/** Waits a while, in milliseconds. */
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Asks again until the answer is true; false when it never was. */
export async function eventually(isSo: () => Promise<boolean>, tries = 600): Promise<boolean> {
  for (let count = 0; count < tries; count += 1) {
    if (await isSo()) return true;
    await pause(100);
  }
  return false;
}

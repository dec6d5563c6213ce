import type { OwnedProduct, SessionRow } from '@/lib/contract/account';
import type { OutboxRow } from '@/lib/contract/outbox';
import type { Registered, TicketReturn } from '@/lib/contract/sign-in';
import { digest } from '@/lib/server/base/ids';
import { makeDemonstrationInstallers } from '@/lib/server/downloads/demonstration';
import { SIGNATURE_HEADER, sign } from '@/lib/server/payment/sandbox/signature';
import { SITE, type TestApi } from './api';
import { askForForm, bytesOf, fill, repair, upload } from './files';
import { anyEmail, codeIn, lastMail, signedIn } from './people';
import { buy, order } from './shop';

/** What an example cannot know before it is sent: keys, codes and tokens that the server has just given out. */
export type Live = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  rawBody?: BodyInit;
  headers?: Record<string, string>;
  token?: string;
};

type Prepare = (api: TestApi, index: number, body: Record<string, unknown>) => Promise<Live>;

const document = { name: 'report.pdf', bytes: bytesOf('%PDF-1.4 damaged') };
const member: Prepare = async (api) => ({ token: (await signedIn(api)).token });

/** Somebody with a licence. */
async function owner(api: TestApi) {
  const { token } = await signedIn(api);
  const orderId = await buy(api, {}, token);
  const { obj } = await api.ask<OwnedProduct[]>('GET', '/user/products/list', { token });
  const [row] = obj;
  if (!row) throw new Error('Nothing is owned.');
  return { token, orderId, row };
}

async function orderLink(api: TestApi): Promise<Live> {
  const email = anyEmail();
  const orderId = await buy(api, { email });
  await api.ask('POST', '/orders/lookup', { body: { orderId, email } });
  await api.jobs(['light']);
  return { params: { key: /order-lookup#([\w-]+)/.exec((await lastMail(api, email)).text)?.[1] ?? '' } };
}

async function sandboxPage(api: TestApi): Promise<Live> {
  return { params: { key: (await order(api)).key } };
}

const finished: Prepare = async (api) => ({ params: { taskId: (await repair(api, document)).taskId } });

/** By the id of the operation; calls that are missing here are sent exactly as their example stands. */
export const prepare: Record<string, Prepare> = {
  requestPayment: async (api) => ({ body: { orderId: (await order(api)).orderId } }),
  readOrder: async (api) => ({ params: { orderId: await buy(api) } }),
  openLinkedOrder: orderLink,
  readLinkedReceipt: orderLink,
  async withdraw(api) {
    const { token, orderId } = await owner(api);
    return { token, params: { id: orderId } };
  },
  activateLicence: async (api) => ({ body: { licenceCode: (await owner(api)).row.licenceCode } }),
  async takeWebhook(api, _index, example) {
    const { orderId, key } = await order(api);
    const body = bytesOf(JSON.stringify({ ...example, orderId, reference: digest(key) }));
    const signature = sign(api.ctx.secrets.paymentWebhook, api.ctx.now(), body);
    return { rawBody: new Uint8Array(body), headers: { [SIGNATURE_HEADER]: signature } };
  },
  async loginWithTicket(api) {
    const { email, password } = await signedIn(api);
    const body = { email, password, redirectUri: `${SITE}/account` };
    const { obj } = await api.ask<TicketReturn>('POST', '/sso/password', { body });
    return { query: { ticket: new URL(obj.url).searchParams.get('ticket') ?? '' } };
  },
  checkSession: member,
  logout: member,
  signInByPassword: async (api) => ({ body: { email: (await signedIn(api)).email } }),
  async confirmRegistration(api) {
    const email = anyEmail();
    const body = { email, password: 'correct horse', redirectUri: `${SITE}/account` };
    const { obj } = await api.ask<Registered>('POST', '/sso/register', { body });
    await api.jobs(['light']);
    return { body: { email, code: codeIn(await lastMail(api, email)), registrationId: obj?.registrationId } };
  },
  readUser: member,
  saveProfile: member,
  async resetPassword(api, index) {
    const { token, email } = await signedIn(api);
    if (index === 0) return { token };
    await api.ask('POST', '/sso/code', { body: { email } });
    await api.jobs(['light']);
    return { body: { email, code: codeIn(await lastMail(api, email)) } };
  },
  listOwnedProducts: owner,
  async cancelSubscription(api) {
    const { token, row } = await owner(api);
    return { token, params: { id: row.id } };
  },
  async resumeSubscription(api) {
    const { token, row } = await owner(api);
    await api.ask('PUT', `/user/cancel/subscription/${row.id}`, { token });
    return { token, params: { id: row.id } };
  },
  listOrders: owner,
  async readReceipt(api) {
    const { token, orderId } = await owner(api);
    return { token, params: { id: orderId } };
  },
  listSessions: member,
  async endSession(api) {
    const { token } = await signedIn(api);
    const { obj } = await api.ask<SessionRow[]>('GET', '/user/sessions', { token });
    return { token, params: { id: obj[0]?.id ?? '' } };
  },
  exportData: owner,
  eraseAccount: owner,
  async upload(api) {
    const { obj } = await askForForm(api, document);
    const { body, headers } = new Response(fill(obj.upload.fields, document.bytes, document.name));
    return { rawBody: body ?? '', headers: { 'content-type': headers.get('content-type') ?? '' } };
  },
  startRepair: async (api) => ({ params: { taskId: await upload(api, document) } }),
  readRepair: finished,
  readRepairedFile: finished,
  deleteRepair: finished,
  async readInstaller(api) {
    await makeDemonstrationInstallers(api.ctx.objects);
    return {};
  },
  readSandboxCheckout: sandboxPage,
  actOnSandboxCheckout: sandboxPage,
  async settleSandboxPayment(api) {
    const { params } = await sandboxPage(api);
    await api.ask('POST', `/sandbox/checkout/${params?.key}`, { body: { cardNumber: '4000000000000259' } });
    return { params: params ?? {} };
  },
  async readMail(api) {
    await api.ask('POST', '/contact', { body: { email: anyEmail(), message: 'A question.' } });
    const { obj } = await api.ask<OutboxRow[]>('GET', '/outbox');
    return { params: { id: obj[0]?.id ?? '' } };
  },
};

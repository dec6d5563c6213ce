import { nothingSchema } from '../lib/contract/fields';
import { outboxMailSchema, outboxRowsSchema } from '../lib/contract/outbox';
import type { SandboxAction, SandboxSettle } from '../lib/contract/requests/sandbox';
import { sandboxCheckoutSchema, sandboxNextSchema } from '../lib/contract/sandbox';
import { get, post } from './http';

const path = (kind: 'checkout' | 'settle', key: string) => `/sandbox/${kind}/${encodeURIComponent(key)}`;

/** GET /sandbox/checkout/{key}: what the hosted test page is for. */
export const readCheckout = (key: string) => get(path('checkout', key), sandboxCheckoutSchema);

/** POST /sandbox/checkout/{key}: pay with a test card, or cancel. */
export const actOnCheckout = (key: string, action: SandboxAction) =>
  post(path('checkout', key), sandboxNextSchema, action);

/** POST /sandbox/settle/{key}: ends a pending test payment. */
export const settleCheckout = (key: string, outcome: SandboxSettle['outcome']) =>
  post(path('settle', key), nothingSchema, { outcome });

/** GET /outbox: the mails of the embedded mail port. */
export const listOutbox = () => get('/outbox', outboxRowsSchema);

/** GET /outbox/{id}: one mail as it was written. */
export const readMail = (id: string) => get(`/outbox/${encodeURIComponent(id)}`, outboxMailSchema);

import type { OutboxMail, OutboxRow } from '../lib/contract/outbox';
import type { SandboxAction, SandboxCheckout, SandboxNext, SandboxSettle } from '../lib/contract/sandbox';
import { get, post } from './http';

const path = (kind: 'checkout' | 'settle', key: string) => `/sandbox/${kind}/${encodeURIComponent(key)}`;

/** GET /sandbox/checkout/{key}: what the hosted test page is for. */
export const readCheckout = (key: string) => get<SandboxCheckout>(path('checkout', key));

/** POST /sandbox/checkout/{key}: pay with a test card, or cancel. */
export const actOnCheckout = (key: string, action: SandboxAction) => post<SandboxNext>(path('checkout', key), action);

/** POST /sandbox/settle/{key}: ends a pending test payment. */
export const settleCheckout = (key: string, outcome: SandboxSettle['outcome']) =>
  post<null>(path('settle', key), { outcome });

/** GET /outbox: the mails of the embedded mail port. */
export const listOutbox = () => get<OutboxRow[]>('/outbox');

/** GET /outbox/{id}: one mail as it was written. */
export const readMail = (id: string) => get<OutboxMail>(`/outbox/${encodeURIComponent(id)}`);

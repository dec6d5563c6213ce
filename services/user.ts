import {
  changedProductSchema,
  erasedSchema,
  exportedDataSchema,
  type OwnedProduct,
  ownedProductsSchema,
  sessionRowsSchema,
} from '../lib/contract/account';
import { nothingSchema } from '../lib/contract/fields';
import type { CodeReset, EraseRequest, ProfileUpdate, SignedInReset } from '../lib/contract/requests/account';
import { ok } from '../lib/contract/result';
import { savedUserSchema } from '../lib/contract/session';
import { get, post, put, remove } from './http';

/** PUT /user/info: the four profile fields. Null where another API does not send the user back. */
export const saveProfile = (profile: ProfileUpdate) => put('/user/info', savedUserSchema, profile);

/** PUT /user/password/reset: with the current password or with a mailed code; every session of the user ends. */
export const resetPassword = (request: SignedInReset | CodeReset) =>
  put('/user/password/reset', nothingSchema, request);

/** GET /user/products/list. */
export const ownedProducts = () => get('/user/products/list', ownedProductsSchema);

/** PUT /user/cancel/subscription/{id}: the row as it is then, told here where another API does not send it back. */
export const cancelSubscription = (row: OwnedProduct) => change('cancel', row, { status: 'unsubscribe' });

/** PUT /user/resume/subscription/{id}: takes a cancellation back before the expiration date. */
export const resumeSubscription = (row: OwnedProduct) => change('resume', row, { status: 'normal', autoRenew: true });

async function change(verb: 'cancel' | 'resume', row: OwnedProduct, becomes: Partial<OwnedProduct>) {
  const answer = await put(`/user/${verb}/subscription/${encodeURIComponent(row.id)}`, changedProductSchema);
  return answer.ok ? ok(answer.value ?? { ...row, ...becomes }) : answer;
}

/** GET /user/sessions. */
export const sessions = () => get('/user/sessions', sessionRowsSchema);

/** DELETE /user/sessions/{id}. */
export const endSession = (id: string) => remove(`/user/sessions/${encodeURIComponent(id)}`, nothingSchema);

/** POST /user/export: everything that is kept about the user, as data. */
export const exportData = () => post('/user/export', exportedDataSchema);

/** DELETE /user: erases the account; the answer names what stays. */
export const eraseAccount = (request: EraseRequest) => remove('/user', erasedSchema, request);

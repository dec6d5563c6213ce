import type { OwnedProduct, PasswordReset, ProfileUpdate, SessionRow, UserDetail } from '../lib/contract/account';
import type { Erased, EraseRequest } from '../lib/contract/orders';
import { type CallOptions, get, post, put, remove } from './http';

/** GET /user/info. */
export const userInfo = (options?: CallOptions) => get<UserDetail>('/user/info', undefined, options);

/** PUT /user/info: the four profile fields. */
export const saveProfile = (profile: ProfileUpdate) => put<UserDetail>('/user/info', profile);

/** PUT /user/password/reset: with the current password or with a mailed code; every session of the user ends. */
export const resetPassword = (request: PasswordReset) => put<null>('/user/password/reset', request);

/** GET /user/products/list. */
export const ownedProducts = () => get<OwnedProduct[]>('/user/products/list');

/** PUT /user/cancel/subscription/{id}. */
export const cancelSubscription = (id: string) =>
  put<OwnedProduct>(`/user/cancel/subscription/${encodeURIComponent(id)}`);

/** PUT /user/resume/subscription/{id}: takes a cancellation back before the expiration date. */
export const resumeSubscription = (id: string) =>
  put<OwnedProduct>(`/user/resume/subscription/${encodeURIComponent(id)}`);

/** GET /user/sessions. */
export const sessions = () => get<SessionRow[]>('/user/sessions');

/** DELETE /user/sessions/{id}. */
export const endSession = (id: string) => remove<null>(`/user/sessions/${encodeURIComponent(id)}`);

/** POST /user/export: everything that is kept about the user, as data. */
export const exportData = () => post<Record<string, unknown>>('/user/export');

/** DELETE /user: erases the account; the answer names what stays. */
export const eraseAccount = (request: EraseRequest) => remove<Erased>('/user', request);

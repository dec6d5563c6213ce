import 'server-only';
import * as z from 'zod/mini';
import { codeResetSchema, eraseSchema, profileSchema, signedInResetSchema } from '../../../contract/requests/account';
import { ok } from '../../../contract/result';
import { endOwnSession } from '../../accounts/end-session';
import { exportData } from '../../accounts/export-data';
import { listSessions } from '../../accounts/list-sessions';
import { saveProfile } from '../../accounts/save-profile';
import { userDetail } from '../../accounts/user-detail';
import { check } from '../../base/check';
import { refuse } from '../../base/refusal';
import { eraseAccount } from '../../erasure/erase-account';
import { ownOrder } from '../../orders/open-order';
import { listOrders } from '../../orders/order-row';
import { makeReceipt } from '../../orders/receipt';
import { ifKeptHere } from '../../sso/kept-here';
import { resetSignedIn, resetWithCode } from '../../sso/reset-password';
import { cancelSubscription, resumeSubscription } from '../../subscriptions/cancel';
import { listOwned } from '../../subscriptions/list-owned';
import type { RouteGroup } from '../endpoints';
import { route } from '../route';
import { sendFile } from '../send-file';

export const userRoutes = {
  /** PUT /user/cancel/subscription/{id}: no further renewal. */
  '/user/cancel/subscription/{id}': {
    PUT: route({ session: 'required' }, ({ ctx, session, params }) =>
      cancelSubscription(ctx, session.user, params.id ?? ''),
    ),
  },
  /** POST /user/export: everything kept about the user. */
  '/user/export': {
    POST: route({ session: 'required', security: 'export' }, async ({ ctx, session }) =>
      ok(await exportData(ctx, session)),
    ),
  },
  /** GET and PUT /user/info: the profile. */
  '/user/info': {
    GET: route({ session: 'required' }, async ({ ctx, session }) => ok(userDetail(ctx, session.user))),
    PUT: route({ session: 'required', body: profileSchema }, ({ ctx, session, body }) =>
      saveProfile(ctx, session.user.id, body),
    ),
  },
  /** GET /user/orders/{id}/receipt: a receipt as PDF, for its owner. */
  '/user/orders/{id}/receipt': {
    GET: route({ session: 'required' }, async ({ ctx, request, session, params }) => {
      const order = await ownOrder(ctx, params.id ?? '', session.user);
      return order
        ? sendFile(ctx, request, await makeReceipt(ctx, order))
        : refuse('notFound', 'There is no such order.');
    }),
  },
  /** GET /user/orders: the user's paid orders. */
  '/user/orders': {
    GET: route({ session: 'required' }, async ({ ctx, session }) => ok(await listOrders(ctx, session.user.id))),
  },
  /** PUT /user/password/reset: with the code from the mail, or signed in with the current password. */
  '/user/password/reset': {
    PUT: route(
      { session: 'optional', body: z.unknown(), security: 'password-reset' },
      async ({ ctx, session, body, client }) => {
        if (typeof body === 'object' && body !== null && 'code' in body) {
          const input = check(codeResetSchema, body);
          return input.ok ? ifKeptHere(ctx, () => resetWithCode(ctx, input.value, client)) : input;
        }
        if (!session) return refuse('sessionInvalid');
        const input = check(signedInResetSchema, body);
        if (!input.ok) return input;
        return ifKeptHere(ctx, () => resetSignedIn(ctx, session.user, input.value, client));
      },
    ),
  },
  /** GET /user/products/list: what the user owns. */
  '/user/products/list': {
    GET: route({ session: 'required' }, async ({ ctx, session }) => ok(await listOwned(ctx, session.user.id))),
  },
  /** PUT /user/resume/subscription/{id}: takes a cancellation back. */
  '/user/resume/subscription/{id}': {
    PUT: route({ session: 'required' }, ({ ctx, session, params }) =>
      resumeSubscription(ctx, session.user, params.id ?? ''),
    ),
  },
  /** DELETE /user: erases the account; the answer names what the law keeps. */
  '/user': {
    DELETE: route({ session: 'required', body: eraseSchema, security: 'erasure' }, ({ ctx, session, body, client }) =>
      eraseAccount(ctx, session.user, body.currentPassword, client),
    ),
  },
  /** DELETE /user/sessions/{id}: ends one of the user's own sessions. */
  '/user/sessions/{id}': {
    DELETE: route({ session: 'required' }, ({ ctx, session, params }) =>
      endOwnSession(ctx, session.user.id, params.id ?? ''),
    ),
  },
  /** GET /user/sessions: where the user is signed in. */
  '/user/sessions': {
    GET: route({ session: 'required' }, async ({ ctx, session }) => ok(await listSessions(ctx, session))),
  },
} satisfies RouteGroup;

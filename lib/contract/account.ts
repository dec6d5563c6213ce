import type { PlanType } from '../catalog/types';

/** `obj` of `GET /sso/auth/url`: the provider's sign-in address, to which the client adds `redirect_uri`. */
export type AuthUrl = string;

/** `obj` of `GET /sso/check`: who the token belongs to, or null. */
export type SessionCheck = { id: string; email: string } | null;

/** `obj` of `GET /user/info`; `createdAt` is ISO 8601 in UTC. */
export type UserDetail = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  address: string;
  country: string;
  hasPassword: boolean;
  /** True while the password is the preset one that was mailed to a new buyer. */
  mustChangePassword?: boolean | undefined;
  createdAt: string;
};

/** `obj` of `GET /sso/login?ticket=`. */
export type SsoLogin = { tokenValue: string; userDetail: UserDetail };

/** Payload of `PUT /user/info`: the four profile fields. */
export type ProfileUpdate = { firstName: string; lastName: string; address: string; country: string };

/** Payload of `PUT /user/password/reset`: signed in, or with the code from the mail. */
export type PasswordReset =
  | { currentPassword: string; newPassword: string }
  | { email: string; code: string; newPassword: string };

/** Subscription states of specification section 4. */
const subscriptionStatuses = ['normal', 'expired', 'unsubscribe', 'activate'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Why a licence ended before its date: its buyer withdrew, the money was given back, or the bank took it back. */
export type EndedBy = 'withdrawal' | 'refund' | 'dispute';

/** The next charge of a plan that renews: a decimal amount, and the moment (ISO 8601 in UTC) at which it is made. */
export type NextCharge = { amount: string; currency: string; at: string };

/**
 * One row of `GET /user/products/list`; `expirationDate` is ISO 8601 in UTC, null for perpetual licences. Of a licence
 * that has ended it is the moment of its end. The fields that may be missing are the embedded API's additions.
 */
export type OwnedProduct = {
  id: string;
  product: string;
  currentPlan: string;
  type: PlanType;
  expirationDate: string | null;
  status: SubscriptionStatus;
  licenceCode: string;
  autoRenew: boolean;
  endedBy?: EndedBy | null | undefined;
  nextCharge?: NextCharge | null | undefined;
  /** The last renewal was not paid: the licence ends at `graceUntil` (ISO 8601 in UTC) unless it is renewed. */
  graceUntil?: string | null | undefined;
};

/** Payload of `POST /sso/register` and `POST /sso/password`; `redirectUri` is where the ticket goes, our own origins only. */
export type Credentials = { email: string; password: string; redirectUri: string };

/** `obj` of `POST /sso/password` and `POST /sso/confirm`: the return address with the ticket in its query. */
export type TicketReturn = { url: string };

/** `obj` of `POST /sso/register`: sent back with the code, so that a code asked for by somebody else can't stand in for it. */
export type Registered = { registrationId: string };

/** Payload of `POST /sso/confirm`: the code that was mailed to a new address. */
export type ConfirmRequest = {
  email: string;
  code: string;
  redirectUri: string;
  registrationId?: string | undefined;
};

/** One row of `GET /user/sessions`. */
export type SessionRow = { id: string; createdAt: string; lastSeenAt: string; userAgent: string; current: boolean };

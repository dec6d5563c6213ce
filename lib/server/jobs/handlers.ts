import 'server-only';
import { sendMail } from '../mail/send-mail';
import { checkOrders } from '../orders/check-orders';
import { expireOrders } from '../orders/expire-orders';
import { mailOrderLink } from '../orders/look-up';
import { sendWebhook } from '../payment/sandbox/send-webhook';
import { chargeByStripe, refundByStripe } from '../payment/stripe/charge';
import { runRepair } from '../repairs/run-repair';
import { sweepFiles } from '../repairs/sweep-files';
import { mailRegistration } from '../sso/mail-registration';
import { mailResetCode } from '../sso/send-reset-code';
import { expireSubscriptions } from '../subscriptions/expire';
import { remindOfRenewals } from '../subscriptions/remind';
import { renewSubscriptions } from '../subscriptions/renew';
import type { JobKind } from './payloads';
import { sweepLeftovers } from './sweep-leftovers';
import type { JobHandler } from './types';

/** How each kind of job is done. */
export const handlers: Record<JobKind, JobHandler> = {
  'mail.send': sendMail,
  'registration.mail': mailRegistration,
  'reset.mail': mailResetCode,
  'sandbox.webhook': sendWebhook,
  'stripe.charge': chargeByStripe,
  'stripe.refund': refundByStripe,
  'repair.run': runRepair,
  'order.link': mailOrderLink,
  'sweep.orders': expireOrders,
  'sweep.subscriptions': expireSubscriptions,
  'renew.subscriptions': renewSubscriptions,
  'remind.renewals': remindOfRenewals,
  'sweep.files': sweepFiles,
  'sweep.leftovers': sweepLeftovers,
  'check.orders': checkOrders,
};

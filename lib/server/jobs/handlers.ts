import 'server-only';
import { sendMail } from '../mail/send-mail';
import { expireOrders } from '../orders/expire-orders';
import { sendWebhook } from '../payment/sandbox/send-webhook';
import { runRepair } from '../repairs/run-repair';
import { sweepFiles } from '../repairs/sweep-files';
import { mailRegistration } from '../sso/mail-registration';
import { mailResetCode } from '../sso/send-reset-code';
import { expireSubscriptions } from '../subscriptions/expire';
import { sweepLeftovers } from './sweep-leftovers';
import type { JobHandler, JobKind } from './types';

/** How each kind of job is done. */
export const handlers: Record<JobKind, JobHandler> = {
  'mail.send': sendMail,
  'registration.mail': mailRegistration,
  'reset.mail': mailResetCode,
  'sandbox.webhook': sendWebhook,
  'repair.run': runRepair,
  'sweep.orders': expireOrders,
  'sweep.subscriptions': expireSubscriptions,
  'sweep.files': sweepFiles,
  'sweep.leftovers': sweepLeftovers,
};

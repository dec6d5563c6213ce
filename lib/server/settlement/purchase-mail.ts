import 'server-only';
import { dollars } from '../../catalog/plans';
import { presetPasswordDays } from '../../catalog/preset-password';
import type { PlanType } from '../../catalog/types';
import { momentInWords } from '../../utils/moment-words';
import type { Preset } from '../accounts/preset';
import type { Context } from '../context';
import type { MailPart, NewMail } from '../mail/write-mail';
import type { Order } from '../sales/change-order';

/** What a buyer gets: the licence, until when (null: for good), perhaps a new account, and its preset password where we keep passwords. */
export type Bought = { licenceCode: string; expiresAt: Date | null; isNew: boolean; preset: Preset | null };

const cadence: Record<PlanType, string> = { week: 'week', month: 'month', year: 'year', perpetual: '' };

/** The mail that confirms a purchase and brings the licence. */
export function purchaseMail(ctx: Context, order: Order, bought: Bought): NewMail {
  const parts: MailPart[] = [
    `Thank you for buying ${order.productName}. Your payment of ${dollars(order.cents)} ${order.currency} has arrived.`,
    'Your licence code:',
    { code: bought.licenceCode },
    `Plan: ${order.plan}\nComputers: ${order.pcs ?? 'as many as you like'}\nOrder number: ${order.id}`,
    renewalSentence(order, bought.expiresAt),
  ];
  if (bought.isNew && bought.preset) {
    parts.push(
      'We made an account for you, where you find your licence again. Sign in with this e-mail address and this password, and choose one of your own when you are asked for it:',
      { code: bought.preset.password },
      `It works for ${presetPasswordDays} days, until ${momentInWords(bought.preset.endsAt)}. After that you set a new one with a code sent to this address: choose “Forgot your password?” there.`,
      { link: `${ctx.env.SITE_URL}/login` },
    );
  } else if (bought.isNew) {
    parts.push(
      'We made an account for this e-mail address, where you find your licence again. Sign in with the same address:',
      { link: `${ctx.env.SITE_URL}/account` },
    );
  } else {
    parts.push('You also find the licence in your account:', { link: `${ctx.env.SITE_URL}/account` });
  }
  parts.push('To install, download the program here and enter the licence code when it asks for it:', {
    link: `${ctx.env.SITE_URL}/download`,
  });
  return { to: order.email, product: order.productName, subject: `Your licence for ${order.productName}`, parts };
}

function renewalSentence(order: Order, expiresAt: Date | null): string {
  if (!expiresAt) return 'The licence does not expire, and nothing is charged again.';
  return `It runs until ${momentInWords(expiresAt)} and then renews for ${dollars(order.cents)} every ${cadence[order.planType]}, until you cancel it in your account.`;
}

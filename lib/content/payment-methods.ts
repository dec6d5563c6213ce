import type { ContentIcon } from './pictures';

/** A payment method with its free mark (simple-icons, CC0), or with a neutral icon beside its name. */
export type PaymentMethod =
  | { name: string; mark: string }
  | { name: string; icon: ContentIcon | 'landmark' | 'banknote' };

/** Common card brands, web wallets, wire transfer, direct debit and regional methods (lib/contract/README.md, 19). */
export const paymentMethods: readonly PaymentMethod[] = [
  { name: 'Visa', mark: 'visa' },
  { name: 'Mastercard', mark: 'mastercard' },
  { name: 'American Express', mark: 'americanexpress' },
  { name: 'Discover', mark: 'discover' },
  { name: 'Diners Club', mark: 'dinersclub' },
  { name: 'JCB', mark: 'jcb' },
  { name: 'PayPal', mark: 'paypal' },
  { name: 'Apple Pay', mark: 'applepay' },
  { name: 'Google Pay', mark: 'googlepay' },
  { name: 'SEPA direct debit', mark: 'sepa' },
  { name: 'Klarna', mark: 'klarna' },
  { name: 'Alipay', mark: 'alipay' },
  { name: 'WeChat Pay', mark: 'wechat' },
  { name: 'Pix', mark: 'pix' },
  { name: 'Wire transfer', icon: 'landmark' },
  { name: 'Direct debit', icon: 'banknote' },
  { name: 'Regional methods', icon: 'globe' },
];

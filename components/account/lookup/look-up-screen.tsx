'use client';

import { LateForm } from '../kit/late-form';

const load = async () => (await import('./order-look-up')).OrderLookUp;

const outline = {
  fields: [
    { label: 'Order number', hint: 'It is in the mail that confirmed your purchase, and on the receipt.' },
    { label: 'E-mail address', hint: 'The one you bought with.' },
  ],
  submitLabel: 'Mail me a link',
  wide: true,
};

/** Order look-up. */
export function LookUpScreen() {
  return (
    <div>
      <LateForm load={load} outline={outline} />
      <noscript>
        <p>
          This form needs JavaScript. Please switch it on, or <a href="/contact-us">write to us</a> with your order
          number.
        </p>
      </noscript>
    </div>
  );
}

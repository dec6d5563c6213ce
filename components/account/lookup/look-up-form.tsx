'use client';

import { useState } from 'react';
import { formClass } from '@/components/ui/field';
import { ActionButton } from '../kit/action-button';
import { TextItem } from '../kit/fields';
import { EmailItem } from '../kit/mail-items';
import { StepHeading } from '../kit/step-heading';
import { SubmitForm } from '../kit/submit-form';

/** Asks for the link. The answer is the same whether number and address belong together or not. */
export function LookUpForm() {
  const [entered, setEntered] = useState({ orderId: '', email: '' });
  const [sent, setSent] = useState(false);
  if (sent) {
    return (
      <div className={formClass}>
        <StepHeading>Check your mail</StepHeading>
        <p role="status">
          If number and address belong together, a link to the order is on its way to {entered.email.trim()}. It works
          for a day.
        </p>
        <p>No mail? Look in the spam folder, and compare the number with the one in your receipt.</p>
        <div>
          <ActionButton tone="line" onClick={() => setSent(false)}>
            Try another number
          </ActionButton>
        </div>
      </div>
    );
  }
  return (
    <SubmitForm
      name="look-up"
      initialValues={entered}
      send={async ({ orderId, email }) => {
        const { lookUpOrder } = await import('@/services/account');
        return lookUpOrder({ orderId: orderId.trim(), email: email.trim() });
      }}
      onDone={(_, values) => {
        setEntered(values);
        setSent(true);
      }}
      submitLabel="Mail me a link"
    >
      <TextItem
        name="orderId"
        label="Order number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        hint="It is in the mail that confirmed your purchase, and on the receipt."
        check={(value) => (value.trim() === '' ? 'Please enter your order number.' : undefined)}
      />
      <EmailItem autoComplete="email" hint="The one you bought with." />
    </SubmitForm>
  );
}

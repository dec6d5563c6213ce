'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/components/ui/button';
import { formClass, SelectField, TextArea, TextField, twoColumnsClass } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import type { Problems } from './contact-problems';
import { focusFirstError, useSubmit } from './use-submit';

const topics = ['Recovery', 'Repair', 'Duplicates', 'WhatsApp transfer', 'Order or licence', 'Something else'] as const;

/** The contact form. Without script it is sent as a plain form and answered with a page. */
export function ContactForm({ title }: { title: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Problems>({});
  const [sent, setSent] = useState(false);
  const { busy, error, submit } = useSubmit(
    async () => {
      const fields = Object.fromEntries(
        [...new FormData(form.current ?? undefined)].map(([name, value]) => [name, String(value)]),
      );
      const { problemsOf, sendContact } = await import('./contact-problems');
      const found = problemsOf(fields);
      // On the screen before the focus goes there.
      flushSync(() => setErrors(found));
      if (found.email || found.message) {
        focusFirstError(form.current);
        return null;
      }
      return sendContact(fields);
    },
    () => setSent(true),
  );
  const said = useRef<HTMLDivElement>(null);
  // The button that had the focus went with the form.
  useEffect(() => {
    if (sent) said.current?.focus();
  }, [sent]);
  if (sent) {
    return (
      <div ref={said} tabIndex={-1}>
        <h2 className="sr">{title}</h2>
        <Notice tone="ok" role="status">
          Your message was sent. We reply within 24 hours.
        </Notice>
      </div>
    );
  }
  return (
    <form
      ref={form}
      className={formClass}
      data-card-place=""
      method="post"
      action="/api/v1/contact"
      aria-label="Contact form"
      noValidate
      onSubmit={(event: FormEvent) => void submit(event)}
    >
      <h2 className="sr">{title}</h2>
      <div className={twoColumnsClass}>
        <TextField label="Name" name="name" autoComplete="name" maxLength={100} />
        <TextField label="E-mail" name="email" type="email" autoComplete="email" required error={errors.email ?? ''} />
      </div>
      <div className={twoColumnsClass}>
        <SelectField label="Topic" name="subject" defaultValue={topics[0]}>
          {topics.map((topic) => (
            <option key={topic}>{topic}</option>
          ))}
        </SelectField>
        <TextField
          label="Order number"
          name="orderNumber"
          hint="If it is about an order"
          autoComplete="off"
          maxLength={64}
        />
      </div>
      <TextArea label="Message" name="message" rows={7} required error={errors.message ?? ''} />
      {/* Above the button, which is on the screen where a phone may not show the first field. */}
      {error ? (
        <Notice tone="bad" role="alert">
          {error}
        </Notice>
      ) : null}
      <div>
        <Button type="submit" busy={busy}>
          Send message
        </Button>
      </div>
      <p className="micro">We use your address to answer you, and for nothing else.</p>
    </form>
  );
}

'use client';

import { Fragment } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, Waiting } from '@/components/ui/state';
import type { OutboxMail } from '@/lib/contract/outbox';
import { useLoaded } from '../use-loaded';
import styles from './development.module.scss';

const load = async () => (await import('@/services/sandbox')).readOutbox();

/** A mail's text with its web addresses as links. */
function MailText({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/g);
  return (
    <pre className={styles.text}>
      {parts.map((part, index) => {
        const key = `${index}-${part.slice(0, 12)}`;
        return /^https?:\/\//.test(part) ? (
          <a key={key} href={part}>
            {part}
          </a>
        ) : (
          <Fragment key={key}>{part}</Fragment>
        );
      })}
    </pre>
  );
}

/** Every mail that the embedded mail port took, on this computer only. */
export function OutboxScreen() {
  const { loaded, reload } = useLoaded<OutboxMail[]>(load);
  return (
    <div className={styles.outbox}>
      <h1>Outbox</h1>
      <p className="lead">
        No mail server is configured, so mails are kept here instead of being sent. This page answers on this computer
        only.
      </p>
      <Button variant="line" size="s" onClick={() => void reload()}>
        <Icon name="refresh-cw" /> Refresh
      </Button>
      {loaded.state === 'loading' ? <Waiting>The mails are loading.</Waiting> : null}
      {loaded.state === 'failed' ? (
        <ErrorState level="h2" title="The outbox can’t be shown">
          {loaded.msg}
        </ErrorState>
      ) : null}
      {loaded.state === 'ready' && loaded.value.length === 0 ? (
        <EmptyState level="h2" title="No mail yet">
          Buy something, create an account or ask for a code: the mail appears here.
        </EmptyState>
      ) : null}
      {loaded.state === 'ready'
        ? loaded.value.map((mail) => (
            <article key={mail.id} className={styles.mail}>
              <h2>{mail.subject}</h2>
              <p className="small">
                To {mail.to}, {new Date(mail.createdAt).toLocaleString('en-GB')}
              </p>
              <MailText text={mail.text} />
            </article>
          ))
        : null}
    </div>
  );
}

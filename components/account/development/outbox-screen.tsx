'use client';

import { Fragment, useCallback, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, Waiting } from '@/components/ui/state';
import { locale } from '@/lib/catalog/limits';
import type { OutboxMail, OutboxRow } from '@/lib/contract/outbox';
import { useLoaded } from '../kit/use-loaded';
import styles from './development.module.scss';

const load = async () => (await import('@/services/sandbox')).listOutbox();

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

function MailBody({ id }: { id: string }) {
  const read = useCallback(async () => (await import('@/services/sandbox')).readMail(id), [id]);
  const { loaded } = useLoaded<OutboxMail>(read);
  if (loaded.state === 'loading') return <Waiting>The mail is loading.</Waiting>;
  return loaded.state === 'failed' ? <p role="alert">{loaded.msg}</p> : <MailText text={loaded.value.text} />;
}

/** One mail; its text is fetched when it is opened. */
function MailRow({ mail }: { mail: OutboxRow }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.mail} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>{mail.subject}</b>
        <span>
          To {mail.to}, {new Date(mail.createdAt).toLocaleString(locale)}
        </span>
      </summary>
      {open ? <MailBody id={mail.id} /> : null}
    </details>
  );
}

/** Every mail that the embedded mail port took, on this computer only. */
export function OutboxScreen() {
  const { loaded, reload } = useLoaded<OutboxRow[]>(load);
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
      <noscript>
        <p>
          This page needs JavaScript. Without it, <a href="/api/v1/outbox">read the list of mails as data</a>.
        </p>
      </noscript>
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
      {loaded.state === 'ready' ? loaded.value.map((mail) => <MailRow key={mail.id} mail={mail} />) : null}
    </div>
  );
}

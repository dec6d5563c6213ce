'use client';

import { Blocks } from '@/components/ui/blocks';
import { Button, ButtonLink, ButtonRow } from '@/components/ui/button';
import { Message } from '@/components/ui/state';
import styles from './message.module.scss';

/** A page that broke while it was drawn. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <main id="main" className={styles.page}>
      <Message
        picture={<Blocks state="failure" className={styles.picture} />}
        title="This page didn’t load"
        actions={
          <ButtonRow>
            <Button onClick={reset}>Try again</Button>
            <ButtonLink variant="line" href="/">
              Back to home
            </ButtonLink>
          </ButtonRow>
        }
      >
        <p className="lead">Something went wrong on our side. Nothing you stored here is lost.</p>
      </Message>
    </main>
  );
}

import type { Metadata } from 'next';
import { QueryLink } from '@/components/actions/query-link';
import { Art } from '@/components/ui/art';
import { Wrap } from '@/components/ui/band';
import { ButtonRow, buttonClass } from '@/components/ui/button';
import { Message } from '@/components/ui/state';
import { drawings } from '@/lib/content/pictures';
import styles from './not-found.module.scss';

export const metadata: Metadata = { title: 'This page could not be found', robots: { index: false } };

/** What unknown addresses under `/tools/` show: the specification's other sentence (section 8). */
export default function ToolNotFound() {
  return (
    <Wrap className={styles.page}>
      <Message
        picture={<Art drawing={drawings['not-found']} label="404" className={styles.picture} />}
        title="This page could not be found"
        actions={
          <ButtonRow>
            <QueryLink className={buttonClass()} href="/tools">
              All tools
            </QueryLink>
            <QueryLink className={buttonClass({ variant: 'line' })} href="/">
              Back to home
            </QueryLink>
          </ButtonRow>
        }
      >
        <p className="lead">There is no tool at this address. Every tool we have is in the list.</p>
      </Message>
    </Wrap>
  );
}

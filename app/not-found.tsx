import type { Metadata } from 'next';
import { QueryLink } from '@/components/actions/query-link';
import { Shell } from '@/components/layout/shell';
import { Art } from '@/components/ui/art';
import { buttonClass } from '@/components/ui/button';
import { Message } from '@/components/ui/state';
import { drawings } from '@/lib/content/pictures';
import styles from './message.module.scss';

export const metadata: Metadata = { title: 'Page Not Found', robots: { index: false } };

/** The words are the specification's (section 2, `/404`). */
export default function NotFound() {
  return (
    <Shell skin="mendara">
      <div className={styles.page}>
        <Message
          picture={<Art drawing={drawings['not-found']} label="404" className={styles.picture} />}
          title="Page Not Found"
          actions={
            <QueryLink className={buttonClass()} href="/">
              Back to home
            </QueryLink>
          }
        >
          <p className="lead">Sorry, we can't find the page you're looking for</p>
        </Message>
      </div>
    </Shell>
  );
}

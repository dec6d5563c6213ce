import type { Metadata } from 'next';
import { QueryLink } from '@/components/actions/query-link';
import { NotFoundMessage } from '@/components/layout/not-found-message';
import { Shell } from '@/components/layout/shell';
import { buttonClass } from '@/components/ui/button';

export const metadata: Metadata = { title: 'Page Not Found', robots: { index: false } };

/** The words are settled (lib/contract/README.md, 13). */
export default function NotFound() {
  return (
    <Shell skin="mendara">
      <NotFoundMessage title="Page Not Found" text="Sorry, we can't find the page you're looking for">
        <QueryLink className={buttonClass()} href="/">
          Back to home
        </QueryLink>
      </NotFoundMessage>
    </Shell>
  );
}

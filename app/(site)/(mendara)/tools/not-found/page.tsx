import type { Metadata } from 'next';
import { QueryLink } from '@/components/actions/query-link';
import { NotFoundMessage } from '@/components/layout/not-found-message';
import { ButtonRow, buttonClass } from '@/components/ui/button';

export const metadata: Metadata = { title: 'This page could not be found', robots: { index: false } };

/** What unknown addresses under `/tools/` show (lib/contract/README.md, 13). */
export default function ToolNotFound() {
  return (
    <NotFoundMessage
      title="This page could not be found"
      text="There is no tool at this address. Every tool we have is in the list."
    >
      <ButtonRow>
        <QueryLink className={buttonClass()} href="/tools">
          All tools
        </QueryLink>
        <QueryLink className={buttonClass({ variant: 'line' })} href="/">
          Back to home
        </QueryLink>
      </ButtonRow>
    </NotFoundMessage>
  );
}

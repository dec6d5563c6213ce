'use client';

import { QueryLink } from '@/components/actions/query-link';
import { Blocks } from '@/components/ui/blocks';
import { Button, ButtonRow, buttonClass } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { OnlineTool } from '@/lib/catalog/tools';
import { readableSize } from '@/lib/utils/bytes';
import { startOver } from '@/store/repair';
import type { RepairStateOf } from '@/store/repair-machine';
import { FileLine } from './file-line';
import styles from './repair-tool.module.scss';
import { Report } from './report';
import { SampleOffer } from './sample-offer';
import { DeletionNote } from './success-state';

/** Failure: its settled sentence (lib/contract/README.md, 93), why, and what can be done instead. What is no failure of a repair has words of its own instead. */
export function FailureState({ tool, state }: { tool: OnlineTool; state: RepairStateOf<'failure'> }) {
  const { task, error } = state;
  const report = task.report;
  const isFailure = !report?.reason;
  return (
    <div className={cx(styles.box, isFailure && styles.bad)}>
      <h2 tabIndex={-1} data-state-heading="">
        <Icon name={isFailure ? 'circle-x' : 'info'} /> {isFailure ? 'Not repaired' : 'Nothing was changed'}
      </h2>
      {isFailure ? <Blocks state="failure" className={styles.sector} /> : null}
      <FileLine tool={tool} name={task.fileName} detail={readableSize(task.fileSize)} />
      <p role="alert">{isFailure ? tool.failure : report.summary}</p>
      {report && isFailure ? <p className={styles.summary}>{report.summary}</p> : null}
      {report?.wantsSample ? <SampleOffer tool={tool} error={error} /> : null}
      {error && !report?.wantsSample ? <Notice tone="bad">{error}</Notice> : null}
      <ButtonRow mid>
        <Button variant={report?.wantsSample ? 'line' : 'primary'} onClick={() => startOver(tool)}>
          Fix another
        </Button>
        <QueryLink className={buttonClass({ variant: 'line' })} href={tool.desktopRoute}>
          Try desktop
        </QueryLink>
      </ButtonRow>
      <DeletionNote tool={tool} expiresAt={task.expiresAt} />
      {report ? <Report report={report} /> : null}
    </div>
  );
}

'use client';

import { useEffect } from 'react';
import { Blocks } from '@/components/ui/blocks';
import { Button, ButtonLink, ButtonRow } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { OnlineTool } from '@/lib/catalog/tools';
import type { Verdict } from '@/lib/contract/repair';
import { readableSize } from '@/lib/utils/bytes';
import { withPart } from '@/store/parts';
import { deleteNow, lookAgain, startOver } from '@/store/repair';
import type { RepairStateOf } from '@/store/repair-machine';
import { FileLine } from './file-line';
import styles from './repair-tool.module.scss';
import { Report } from './report';
import { SampleOffer } from './sample-offer';

/** A verdict that says nothing of a success, or none: another API may send no report. */
const READY = 'Your file is ready';

const headings: Record<Verdict, string> = {
  healthy: 'Nothing to repair',
  repaired: 'Repaired',
  partly: 'Partly repaired',
  unrepairable: READY,
};

/** Success: the verdict in words, the file, what was done to it, and when it is deleted. */
export function SuccessState({ tool, state }: { tool: OnlineTool; state: RepairStateOf<'success'> }) {
  const { task, resultUrl, error } = state;
  const { report } = task;
  return (
    <div className={cx(styles.box, styles.ok)}>
      <h2 tabIndex={-1} data-state-heading="">
        <Icon name="circle-check" /> {report ? headings[report.verdict] : READY}
      </h2>
      <Blocks state="success" className={styles.sector} />
      <FileLine tool={tool} name={task.fileName} detail={readableSize(report?.output?.bytes ?? task.fileSize)} />
      <p role="status" className={styles.summary}>
        {report?.summary ?? 'The repair is done.'}
      </p>
      {error && !report?.wantsSample ? <Notice tone="bad">{error}</Notice> : null}
      <ButtonRow mid>
        {resultUrl ? (
          <ButtonLink
            href={resultUrl}
            download={task.downloadName ?? undefined}
            onClick={() => void withPart(() => lookAgain(tool))}
          >
            <Icon name="download" /> Download
          </ButtonLink>
        ) : null}
        <Button variant="line" onClick={() => startOver(tool)}>
          Fix another
        </Button>
      </ButtonRow>
      {report?.wantsSample ? <SampleOffer tool={tool} error={error} /> : null}
      <DeletionNote tool={tool} expiresAt={task.expiresAt} />
      {report ? <Report report={report} /> : null}
    </div>
  );
}

/** When the files go by themselves, and the button that lets them go now. */
export function DeletionNote({ tool, expiresAt }: { tool: OnlineTool; expiresAt: string }) {
  // Who comes back to this tab may have deleted the file in another one, or come too late.
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === 'visible') lookAgain(tool).catch(() => undefined);
    };
    document.addEventListener('visibilitychange', onReturn);
    return () => document.removeEventListener('visibilitychange', onReturn);
  }, [tool]);
  const time = new Date(expiresAt).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p className={styles.deletion}>
      We delete the file from our server on {time}.{' '}
      <button type="button" className={styles.linkButton} onClick={() => void withPart(() => deleteNow(tool))}>
        Delete now
      </button>
    </p>
  );
}

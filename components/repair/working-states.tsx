'use client';

import { useEffect, useState } from 'react';
import { Blocks } from '@/components/ui/blocks';
import { Button, ButtonRow } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { OnlineTool } from '@/lib/catalog/tools';
import { readableSize } from '@/lib/utils/bytes';
import { withPart } from '@/store/parts';
import { cancel, sendAgain, startOver } from '@/store/repair';
import type { RepairStateOf } from '@/store/repair-machine';
import { isUnfinished } from '@/store/unfinished-uploads';
import { useUploadPace } from '@/store/upload-pace';
import { FileButton } from './file-button';
import { FileLine } from './file-line';
import styles from './repair-tool.module.scss';
import { takeFiles } from './use-page-drop';
import { timeLeftWords, waitingWords } from './waiting-words';

const CUT_OFF = 'The connection is gone. What has arrived is kept, and the upload goes on by itself when it is back.';
const GOES_ON = 'Your upload was interrupted. Choose the same file again, and it goes on where it stopped.';

/** Says a number to a screen reader in steps, not at every change. */
function useSteps(value: number, step: number): number {
  const [said, setSaid] = useState(0);
  useEffect(() => {
    const reached = Math.floor(value / step) * step;
    setSaid((before) => Math.max(reached, before));
  }, [value, step]);
  return said;
}

/** Uploading: sent of total, in blocks, bytes, percent and time; or that the connection is gone, and what comes of it. */
export function UploadingState({ tool, state }: { tool: OnlineTool; state: RepairStateOf<'uploading'> }) {
  const { file, sent, sampleFor } = state;
  const { secondsLeft, isCutOff } = useUploadPace(tool);
  const total = file.size;
  const timeLeft = timeLeftWords(secondsLeft);
  const percent = Math.floor((sent / total) * 100);
  const said = useSteps(percent, 25);
  return (
    <div className={styles.box}>
      <h2 tabIndex={-1} data-state-heading="">
        {sampleFor ? 'Uploading the working video' : 'Uploading'}
      </h2>
      <Blocks state="progress" value={sent / total} className={styles.sector} />
      <FileLine tool={tool} name={file.name} detail={`${readableSize(sent)} of ${readableSize(total)}`} />
      <progress className="sr" max={100} value={percent} aria-label="Upload">
        {percent}%
      </progress>
      <p className="small" aria-hidden="true">
        {[`${percent}%`, timeLeft].filter(Boolean).join(' · ')}
      </p>
      {isCutOff ? <p aria-hidden="true">{CUT_OFF}</p> : null}
      <p className="sr" role="status">
        {isCutOff ? CUT_OFF : said > 0 ? `${said}% uploaded` : 'Uploading'}
      </p>
      <Button variant="line" size="s" onClick={() => void withPart(() => cancel(tool))}>
        Cancel
      </Button>
    </div>
  );
}

/** Waiting: the place in the queue, and that nobody has to stay. */
export function WaitingState({ tool, state }: { tool: OnlineTool; state: RepairStateOf<'waiting'> }) {
  const { file, place, unreachable } = state;
  return (
    <div className={styles.box}>
      <h2 tabIndex={-1} data-state-heading="">
        Repairing
      </h2>
      <Blocks state="waiting" className={styles.sector} />
      {file ? <FileLine tool={tool} name={file.name} detail={readableSize(file.size)} /> : null}
      <p role="status">
        {unreachable
          ? 'The server can’t be reached just now. Your file is safe there; we keep asking.'
          : waitingWords(place)}
      </p>
      <p className="small">You can leave and come back to this page.</p>
      <Button variant="line" size="s" onClick={() => void withPart(() => cancel(tool))}>
        Cancel
      </Button>
    </div>
  );
}

/** An upload that broke off: what happened, and the same file again with one press. */
export function StoppedState({ tool, state }: { tool: OnlineTool; state: RepairStateOf<'stopped'> }) {
  const { file, error, again, taskId } = state;
  const goesOn = !again && taskId !== null && isUnfinished(taskId);
  const goOn = (files: readonly File[]) => {
    // A file that is refused is refused where one is chosen.
    startOver(tool);
    takeFiles(tool, files);
  };
  return (
    <div className={styles.box}>
      <h2 tabIndex={-1} data-state-heading="">
        The upload stopped
      </h2>
      <Blocks state="failure" className={styles.sector} />
      <FileLine tool={tool} name={file.name} detail={readableSize(file.size)} />
      <Notice tone="bad" role="alert">
        {goesOn ? GOES_ON : error}
      </Notice>
      <ButtonRow mid>
        {again ? (
          <Button onClick={() => void sendAgain(tool)}>
            <Icon name="refresh-cw" /> Send again
          </Button>
        ) : null}
        {goesOn ? <FileButton tool={tool} label="Choose the same file" onFiles={goOn} /> : null}
        <Button variant="line" onClick={() => startOver(tool)}>
          Choose another file
        </Button>
      </ButtonRow>
    </div>
  );
}

/** A task that is over: deleted on request or expired. */
export function GoneState({ tool }: { tool: OnlineTool }) {
  return (
    <div className={styles.box}>
      <h2 tabIndex={-1} data-state-heading="">
        This file is deleted
      </h2>
      <Blocks state="empty" className={styles.sector} />
      <p role="status">The upload, the result and the report are gone from our server.</p>
      <Button onClick={() => startOver(tool)}>Fix another</Button>
    </div>
  );
}

'use client';

import { useEffect, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { type OnlineTool, uploadLifeHours } from '@/lib/catalog/tools';
import { resumeTask, showTool } from '@/store/repair';
import type { RepairState } from '@/store/repair-machine';
import { useRepair } from '@/store/repair-state';
import { DropZone } from './drop-zone';
import { FailureState } from './failure-state';
import { OwnRepairs } from './own-repairs';
import styles from './repair-tool.module.scss';
import { SuccessState } from './success-state';
import { usePageDrop } from './use-page-drop';
import { GoneState, StoppedState, UploadingState, WaitingState } from './working-states';

/** The one screen of the three online tools: a box that changes in place and says each change (components/README.md, 31). */
export function RepairTool({ tool }: { tool: OnlineTool }) {
  const state = useRepair(tool);
  const { phase } = state;
  const isOver = usePageDrop(tool);
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(phase);

  useEffect(() => {
    const hide = showTool(tool);
    void resumeTask(tool);
    const onHash = () => void resumeTask(tool);
    window.addEventListener('hashchange', onHash);
    return () => {
      hide();
      window.removeEventListener('hashchange', onHash);
    };
  }, [tool]);

  // The control that had the focus is gone with its state, so the focus moves to the new state's heading, or where a file is chosen.
  useEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    if (before.current !== phase) (find('[data-state-heading]') ?? find('button'))?.focus();
    before.current = phase;
  }, [phase]);

  return (
    <div ref={box} className={styles.tool}>
      <State tool={tool} state={state} isOver={isOver} />
      <p className={styles.note}>
        <Icon name="lock" /> Sent over 256-bit SSL and deleted from our server within {uploadLifeHours} hours.
      </p>
      {phase === 'idle' ? <OwnRepairs /> : null}
      <noscript>
        <p className={styles.note}>Uploading needs JavaScript. Please switch it on to repair a {tool.noun} here.</p>
      </noscript>
    </div>
  );
}

/** The box of each state. */
function State({ tool, state, isOver }: { tool: OnlineTool; state: RepairState; isOver: boolean }) {
  switch (state.phase) {
    case 'idle':
      return <DropZone tool={tool} state={state} isOver={isOver} />;
    case 'uploading':
      return <UploadingState tool={tool} state={state} />;
    case 'waiting':
      return <WaitingState tool={tool} state={state} />;
    case 'success':
      return <SuccessState tool={tool} state={state} />;
    case 'failure':
      return <FailureState tool={tool} state={state} />;
    case 'stopped':
      return <StoppedState tool={tool} state={state} />;
    case 'gone':
      return <GoneState tool={tool} />;
  }
}

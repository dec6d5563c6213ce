'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef } from 'react';
import { FileBlocks } from '@/components/ui/blocks';
import { Button } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Notice } from '@/components/ui/notice';
import type { OnlineTool } from '@/lib/catalog/tools';
import { formatList } from '@/lib/catalog/upload-rules';
import { programAddress } from '@/lib/utils/going';
import { handToOther } from '@/store/repair';
import type { RepairStateOf } from '@/store/repair-machine';
import { FileButton } from './file-button';
import styles from './repair-tool.module.scss';
import { takeFiles } from './use-page-drop';

/** Idle: a place to drop one file, a button to choose it, the limit and the formats. The whole page takes the drop. */
export function DropZone({ tool, state, isOver }: { tool: OnlineTool; state: RepairStateOf<'idle'>; isOver: boolean }) {
  const rules = useId();
  const { error, other } = state;
  const refusal = useRef<HTMLDivElement>(null);
  // On a small phone it stands below the screen, and whoever drops a file may be anywhere on the page. Each refusal is a state of its own.
  useEffect(() => {
    const said = state.error ? refusal.current : null;
    (said?.nextElementSibling ?? said)?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  return (
    <div className={cx(styles.box, styles.idle, isOver && styles.over)}>
      <FileBlocks className={styles.picture} />
      <h2>Drop a {tool.noun} here</h2>
      <FileButton
        tool={tool}
        label={`Choose a ${tool.noun}`}
        describedBy={rules}
        id="pick"
        onFiles={(files) => takeFiles(tool, files)}
      />
      <p id={rules} className={styles.rules}>
        Under {tool.limitText}. {formatList(tool)}.
      </p>
      <div ref={refusal} className={styles.refusal} role="alert">
        {error ? <Notice tone="bad">{error}</Notice> : null}
      </div>
      {other ? <OtherTool tool={tool} noun={other.tool.noun} /> : null}
    </div>
  );
}

/** A file of another kind goes to its own tool by one press, without being chosen again. */
function OtherTool({ tool, noun }: { tool: OnlineTool; noun: string }) {
  const router = useRouter();
  return (
    <Button
      variant="line"
      onClick={() => {
        const route = handToOther(tool);
        if (route) router.push(programAddress(route));
      }}
    >
      Repair it as a {noun}
    </Button>
  );
}

'use client';

import { type DragEvent, useId, useState } from 'react';
import { FileBlocks } from '@/components/ui/blocks';
import { cx } from '@/components/ui/cx';
import { Notice } from '@/components/ui/notice';
import type { OnlineTool } from '@/lib/catalog/tools';
import { formatList } from '@/lib/catalog/upload-rules';
import { chooseFile, useRepair } from '@/store/repair';
import { FileButton } from './file-button';
import styles from './repair-tool.module.scss';

/** Idle: a place to drop one file, a button to choose it, the limit and the formats. */
export function DropZone({ tool }: { tool: OnlineTool }) {
  const rules = useId();
  const [over, setOver] = useState(false);
  const error = useRepair((state) => state.error);

  const take = ([file, second]: readonly File[]) => {
    if (second)
      useRepair.setState({ error: 'One file at a time, please. The desktop version repairs several at once.' });
    else if (file) void chooseFile(tool, file);
  };
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same by keyboard.
    <div
      className={cx(styles.box, styles.idle, over && styles.over)}
      onDragEnter={onDrag}
      onDragOver={onDrag}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(Array.from(event.dataTransfer.files));
      }}
    >
      <FileBlocks className={styles.picture} />
      <h2>Drop a {tool.noun} here</h2>
      <FileButton tool={tool} label={`Choose a ${tool.noun}`} describedBy={rules} onFiles={take} />
      <p id={rules} className={styles.rules}>
        Under {tool.limitText}. {formatList(tool)}.
      </p>
      <div className={styles.refusal} role="alert">
        {error ? <Notice tone="bad">{error}</Notice> : null}
      </div>
    </div>
  );
}

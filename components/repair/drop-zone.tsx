'use client';

import { type DragEvent, useId, useRef, useState } from 'react';
import { FileBlocks } from '@/components/ui/blocks';
import { Button } from '@/components/ui/button';
import { cx } from '@/components/ui/cx';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { OnlineTool } from '@/lib/catalog/tools';
import { formatList } from '@/lib/catalog/upload-rules';
import { chooseFile, useRepair } from '@/store/repair';
import styles from './repair-tool.module.scss';

/** Idle: a place to drop one file, a button to choose it, the limit and the formats. */
export function DropZone({ tool }: { tool: OnlineTool }) {
  const input = useRef<HTMLInputElement>(null);
  const rules = useId();
  const [over, setOver] = useState(false);
  const error = useRepair((state) => state.error);

  const take = (files: FileList | null) => {
    const [file, second] = Array.from(files ?? []);
    if (second)
      useRepair.setState({ error: 'One file at a time, please. The desktop version repairs several at once.' });
    else if (file) void chooseFile(tool, file);
    if (input.current) input.current.value = '';
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
        take(event.dataTransfer.files);
      }}
    >
      <FileBlocks className={styles.picture} />
      <h2>Drop a {tool.noun} here</h2>
      <Button aria-describedby={rules} onClick={() => input.current?.click()}>
        <Icon name="upload" /> Choose a {tool.noun}
      </Button>
      <input
        ref={input}
        className="sr"
        type="file"
        tabIndex={-1}
        aria-label={`Choose a ${tool.noun}`}
        accept={tool.extensions.map((extension) => `.${extension}`).join(',')}
        onChange={(event) => take(event.target.files)}
      />
      <p id={rules} className={styles.rules}>
        Under {tool.limitText}. {formatList(tool)}.
      </p>
      <div className={styles.refusal} role="alert">
        {error ? <Notice tone="bad">{error}</Notice> : null}
      </div>
    </div>
  );
}

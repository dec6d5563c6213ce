'use client';

import { useEffect, useState } from 'react';
import type { OnlineTool } from '@/lib/catalog/tools';
import { chooseFile, refuseDrop } from '@/store/repair';
import { stateOf } from '@/store/repair-state';

/** Takes chosen or dropped files, of which there may be one. */
export function takeFiles(tool: OnlineTool, [file, second]: readonly File[]): void {
  if (second) refuseDrop(tool, 'One file at a time, please. The desktop version repairs several at once.');
  else if (file) void chooseFile(tool, file);
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Catches files that are dropped anywhere on the page: the browser would leave it and open the file. Taken while the
 * tool waits for one, and otherwise left alone. True while one is held over the page.
 */
export function usePageDrop(tool: OnlineTool): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (stateOf(tool).phase === 'idle') takeFiles(tool, Array.from(event.dataTransfer?.files ?? []));
    };
    const listeners = { dragenter: onDrag, dragover: onDrag, dragleave: onLeave, drop: onDrop } as const;
    for (const [name, listener] of Object.entries(listeners)) {
      window.addEventListener(name as 'drop', listener);
    }
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name as 'drop', listener);
      }
    };
  }, [tool]);
  return isOver;
}

'use client';

import { useEffect, useState } from 'react';
import type { OnlineTool } from '@/lib/catalog/tools';
import { chooseFile, refuseDrop, startOver } from '@/store/repair';
import type { RepairState } from '@/store/repair-machine';
import { stateOf } from '@/store/repair-state';
import { showToast } from '@/store/toasts';

/** Takes chosen or dropped files, of which there may be one. */
export function takeFiles(tool: OnlineTool, [file, second]: readonly File[]): void {
  if (second) refuseDrop(tool, 'One file at a time, please. The desktop version repairs several at once.');
  else if (file) void chooseFile(tool, file);
}

/** Why a file that is dropped in this state can't be taken, or null where it can. */
function whyNotNow(state: RepairState): string | null {
  switch (state.phase) {
    case 'uploading':
      return 'One file at a time: this one is still being sent. Cancel it to send another.';
    case 'waiting':
      return 'One file at a time: this one is still being repaired. Cancel it to send another.';
    case 'success':
    case 'failure':
      // It may be the working video that is asked for, or another broken one.
      return state.task?.report?.wantsSample
        ? 'Use “Add a working video” for a sample, or “Fix another” for another broken file.'
        : null;
    default:
      return null;
  }
}

/** Takes what was dropped, or says why not; a finished repair makes way, and stays among the visitor's repairs. */
function takeDrop(tool: OnlineTool, files: readonly File[]): void {
  const state = stateOf(tool);
  const refusal = whyNotNow(state);
  if (refusal) {
    showToast(refusal);
    return;
  }
  if (state.phase !== 'idle') startOver(tool);
  takeFiles(tool, files);
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Catches files that are dropped anywhere on the page: the browser would leave it and open the file. Taken where no
 * other file is under way, and otherwise refused with a sentence. True while one is held over the page.
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
      takeDrop(tool, Array.from(event.dataTransfer?.files ?? []));
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

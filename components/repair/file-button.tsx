'use client';

import { type ComponentProps, useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { OnlineTool } from '@/lib/catalog/tools';

type FileButtonProps = {
  tool: OnlineTool;
  label: string;
  variant?: ComponentProps<typeof Button>['variant'];
  describedBy?: string;
  /** Name by which the inline script finds the control, to lay a file into it that is dropped before the framework is there. */
  id?: string;
  onFiles: (files: readonly File[]) => void;
};

/**
 * A button that lets a file of the tool's formats be chosen. The same file can be chosen twice in a row, and what was chosen or dropped before
 * the framework was there is taken as well.
 */
export function FileButton({ tool, label, variant, describedBy, id, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (chosen: HTMLInputElement) => {
    const files = Array.from(chosen.files ?? []);
    chosen.value = '';
    if (files.length > 0) onFiles(files);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as each later choice is heard
  useEffect(() => {
    if (input.current) take(input.current);
  }, []);

  return (
    <>
      <Button variant={variant} aria-describedby={describedBy} onClick={() => input.current?.click()}>
        <Icon name="upload" /> {label}
      </Button>
      <input
        ref={input}
        id={id}
        className="sr"
        type="file"
        tabIndex={-1}
        aria-label={label}
        accept={tool.extensions.map((extension) => `.${extension}`).join(',')}
        onChange={(event) => take(event.target)}
      />
    </>
  );
}

'use client';

import { Notice } from '@/components/ui/notice';
import type { OnlineTool } from '@/lib/catalog/tools';
import { addSample } from '@/store/repair';
import { FileButton } from './file-button';
import styles from './repair-tool.module.scss';

/** What is missing, and the offer to add a video that plays. The first upload stays where it is. */
export function SampleOffer({ tool, error }: { tool: OnlineTool; error: string | null }) {
  return (
    <section className={styles.offer} aria-labelledby="sample-offer">
      <h3 id="sample-offer">A working video can help</h3>
      <p id="sample-why">
        This video has lost its index, which says where each frame and each piece of sound is and how to decode it. Add
        a video that plays, recorded by the same camera or phone with the same settings, and we read the missing part
        from that one. Your first upload stays here, and both are deleted together.
      </p>
      <FileButton
        tool={tool}
        label="Add a working video"
        describedBy="sample-why"
        onFiles={([file]) => {
          if (file) void addSample(tool, file);
        }}
      />
      <div className={styles.refusal} role="alert">
        {error ? <Notice tone="bad">{error}</Notice> : null}
      </div>
    </section>
  );
}

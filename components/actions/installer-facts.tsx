'use client';

import { useEffect } from 'react';
import { create } from 'zustand';
import { Notice } from '@/components/ui/notice';
import { DEMONSTRATION } from '@/lib/catalog/demonstration';
import type { Platform, Website } from '@/lib/catalog/types';
import type { InstallerRow } from '@/lib/contract/downloads';
import { readableSize } from '@/lib/utils/bytes';
import { whenIdle } from '@/lib/utils/when-idle';

const useInstallers = create<{ rows: InstallerRow[]; asked: boolean }>(() => ({ rows: [], asked: false }));

async function readInstallers(): Promise<void> {
  if (useInstallers.getState().asked) return;
  useInstallers.setState({ asked: true });
  const { installers } = await import('@/services/downloads');
  const answer = await installers();
  useInstallers.setState(answer.ok ? { rows: answer.value } : { asked: false });
}

/** Reads the installers once for all rows of the page; without an answer the page simply says less. */
function useInstallerRows(): InstallerRow[] {
  useEffect(() => whenIdle(() => void readInstallers()), []);
  return useInstallers((state) => state.rows);
}

type InstallerFactsProps = { website: Website; os: Platform; className?: string | undefined };

/** Version, size and SHA-256 of one installer, read from the file itself. */
export function InstallerFacts({ website, os, className }: InstallerFactsProps) {
  const row = useInstallerRows().find((one) => one.website === website && one.os === os);
  if (!row || row.size === null) return <dl className={className} />;
  return (
    <dl className={className}>
      {row.version ? (
        <div>
          <dt>Version</dt>
          <dd>{row.version}</dd>
        </div>
      ) : null}
      <div>
        <dt>Size</dt>
        <dd>{readableSize(row.size)}</dd>
      </div>
      <div>
        <dt>SHA-256</dt>
        <dd>{row.sha256}</dd>
      </div>
    </dl>
  );
}

/** The version that a download brings, or that it is a demonstration; nothing where neither is known. */
export function InstallerVersion({ website, os, className }: InstallerFactsProps) {
  const row = useInstallerRows().find((one) => one.website === website && one.os === os);
  if (row?.demonstration) return <small className={className}>Demonstration download</small>;
  return row?.version ? <small className={className}>Version {row.version}</small> : null;
}

/**
 * Says before the click that a fresh installation serves demonstration files; otherwise what the checksums are for, in
 * a box of the same size, so that nothing moves when the answer comes.
 */
export function DemonstrationNotice() {
  const hasDemonstration = useInstallerRows().some(({ demonstration }) => demonstration);
  return (
    <Notice tone={hasDemonstration ? 'warn' : 'info'} role="status">
      {hasDemonstration
        ? DEMONSTRATION
        : 'Version, size and SHA-256 are read from each file itself, so that you can check what you have received.'}
    </Notice>
  );
}

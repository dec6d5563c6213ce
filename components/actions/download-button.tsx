'use client';

import { type ReactNode, useState } from 'react';
import type { Platform, Website } from '@/lib/catalog/types';
import { withPart } from '@/store/parts';

type DownloadButtonProps = {
  website: Website;
  os?: Platform | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** Starts an installer's download; without script it leads to the download page. */
export function DownloadButton({ website, os, className, children }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const start = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await withPart(async () => {
        const { downloadInstaller } = await import('@/store/download');
        await downloadInstaller(website, os);
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <a
      className={className}
      href="/download"
      data-press="1"
      aria-disabled={busy || undefined}
      onClick={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {children}
    </a>
  );
}

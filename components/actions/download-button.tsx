'use client';

import { type ReactNode, useState } from 'react';
import type { Platform, Website } from '@/lib/catalog/types';
import { withPart } from '@/store/parts';

type DownloadButtonProps = {
  website: Website;
  os?: Platform | undefined;
  className?: string | undefined;
  /** Where it leads without script: the download page, which names the file itself. */
  href?: string;
  children: ReactNode;
};

/** Starts an installer's download, under a name that the visitor's id is in; without script it is a link. */
export function DownloadButton({ website, os, className, href = '/download', children }: DownloadButtonProps) {
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
      href={href}
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

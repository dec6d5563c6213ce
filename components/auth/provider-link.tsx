'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { withReturn } from './return-to';

/** A link between the provider's pages that keeps the way back. */
export function ProviderLink({ path, children }: { path: string; children: ReactNode }) {
  const [href, setHref] = useState(path);
  useEffect(() => setHref(withReturn(path)), [path]);
  return <a href={href}>{children}</a>;
}

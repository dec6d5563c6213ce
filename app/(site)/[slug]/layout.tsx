import type { ReactNode } from 'react';
import { Shell } from '@/components/layout/shell';
import { page } from '@/lib/content';
import { type Path, route } from '@/lib/content/routes';

type Props = { children: ReactNode; params: Promise<{ slug: string }> };

/** The bars and the stored product of whichever brand the page says that it is of. */
export default async function SlugLayout({ children, params }: Props) {
  const path = `/${(await params).slug}` as Path;
  return (
    <Shell skin={route(path).skin} website={page(path).product?.website}>
      {children}
    </Shell>
  );
}

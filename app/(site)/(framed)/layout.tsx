import type { ReactNode } from 'react';

/** Pages for frames in the vendor's own apps: no bars, no banner, nothing stored. */
export default function FramedLayout({ children }: { children: ReactNode }) {
  return (
    <main data-skin="mendara" id="main">
      {children}
    </main>
  );
}

import { QueryLink } from '@/components/actions/query-link';
import { cx } from '@/components/ui/cx';
import { brands } from '@/lib/catalog/brands';
import type { Skin } from '@/lib/catalog/types';
import { isBuilt } from '@/lib/content/routes';
import styles from '@/styles/site.module.scss';

/** The brand's mark and name; it leads to the brand's own first page. */
export function Logo({ skin, onNight = false }: { skin: Skin; onNight?: boolean }) {
  const { name, home } = brands[skin];
  return (
    <QueryLink className={cx(styles.logo, onNight && styles.logoOnNight)} href={isBuilt(home) ? home : '/'}>
      <svg viewBox="0 0 30 30" width="28" height="28" aria-hidden="true" focusable="false">
        {skin === 'mendara' ? <MendaraMark /> : <ChatFerryMark windows={onNight ? 'var(--night)' : 'var(--paper)'} />}
      </svg>
      {name}
    </QueryLink>
  );
}

/** An M on the block grid whose middle block is the found one. */
function MendaraMark() {
  return (
    <>
      <path fill="currentColor" d="M0 3h7v24H0zM23 3h7v24h-7zM7 6h4v8H7zM19 6h4v8h-4z" />
      <path fill="var(--found)" d="M11 11h8v8h-8z" />
    </>
  );
}

/** A chat bubble that stands in a hull. */
function ChatFerryMark({ windows }: { windows: string }) {
  return (
    <>
      <path fill="currentColor" d="M8 2h14a3 3 0 0 1 3 3v9H5V5a3 3 0 0 1 3-3z" />
      <path fill={windows} d="M10 6h4v4h-4zM16 6h4v4h-4z" />
      <path fill="var(--found)" d="M0 16h30l-3.7 7.7A6 6 0 0 1 20.9 27H9.1a6 6 0 0 1-5.4-3.3z" />
    </>
  );
}

import type { ReactNode } from 'react';
import styles from '@/styles/site.module.scss';
import type { Drawing } from './art';
import { cx } from './cx';

type BandProps = {
  children: ReactNode;
  tone?: 'plain' | 'mist';
  /** No room above: the band before is plain too. */
  tight?: boolean;
  id?: string;
  className?: string;
};

/** The one container under every section: full width, the page's gutter, the section's room. */
export function Band({ children, tone = 'plain', tight, id, className }: BandProps) {
  return (
    <section id={id} className={cx(styles.band, tone === 'mist' && styles.bandMist, tight && styles.bandTight)}>
      <div className={cx(styles.bandWrap, className)} data-rise="">
        {children}
      </div>
    </section>
  );
}

/** Content width and gutter alone, for what is not a section of its own. */
export function Wrap({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx(styles.bandWrap, className)}>{children}</div>;
}

/** A section's heading with at most one lead sentence. `hidden` keeps it for assistive technology only. */
export function Head({
  title,
  lead,
  near,
  hidden,
}: {
  title: string;
  lead?: string;
  near?: boolean;
  hidden?: boolean;
}) {
  if (hidden) return <h2 className="sr">{title}</h2>;
  return (
    <div className={cx(styles.bandHead, near && styles.bandNear)}>
      <h2>{title}</h2>
      {lead && <p className="lead">{lead}</p>}
    </div>
  );
}

type TrayProps = { children: ReactNode; texture?: Drawing; className?: string };

/** A large coloured field, with sector blocks as texture away from the text. At most two on a page. */
export function Tray({ children, texture, className }: TrayProps) {
  return (
    <div className={cx(styles.bandTray, 'on-field', className)}>
      {texture && (
        <svg
          className={styles.bandTexture}
          viewBox={`0 0 ${texture.width} ${texture.height}`}
          preserveAspectRatio="xMidYMin slice"
          aria-hidden="true"
          focusable="false"
        >
          <use href={texture.src} />
        </svg>
      )}
      {children}
    </div>
  );
}

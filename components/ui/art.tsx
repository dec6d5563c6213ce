import styles from '@/styles/site.module.scss';
import { cx } from './cx';

/** A drawing in `public/art`: its address with the fragment, and its own size. */
export type Drawing = { src: string; width: number; height: number };

/** How it is framed: a product window (with its shadow), a photo with its seam, or nothing. */
export type ArtLook = {
  frame?: 'window' | 'window-cut' | 'seam';
  /** Shape on phones, where a wide window is cropped to its left part. */
  crop?: '4/5' | '4/3';
  className?: string;
  /** Leaves the drawing's address in `data-href` for a script that sets it when the picture nears the viewport. */
  lazy?: boolean;
};

/** `label` is what the drawing tells; without one it is decoration. */
type ArtProps = ArtLook & { drawing: Drawing; label?: string };

const frames = {
  window: styles.artWindow,
  'window-cut': cx(styles.artWindow, styles.artCut),
  seam: styles.artSeam,
} as const;

/** A drawing, by reference, so that it keeps the page's fonts and tokens and stays out of its markup. */
export function Art({ drawing, label, frame, crop, className, lazy }: ArtProps) {
  const { src, width, height } = drawing;
  const cropClass = crop === '4/5' ? styles.artCrop45 : crop === '4/3' ? styles.artCrop43 : undefined;
  return (
    <svg
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={cx(styles.art, frame && frames[frame], cropClass, className)}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio={frame === 'seam' ? 'xMidYMid slice' : 'xMinYMin slice'}
      focusable="false"
    >
      {lazy ? <use data-href={src} /> : <use href={src} />}
    </svg>
  );
}

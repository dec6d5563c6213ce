import styles from './blocks.module.scss';
import { cx } from './cx';

const COLUMNS = 22;
const PITCH = 14;
const ROWS = [6, 20, 34, 48] as const;
const LAYERS = '/art/blocks.svg';

type BlocksProps =
  | { state: 'progress'; value: number; className?: string }
  | { state: 'waiting' | 'success' | 'failure' | 'empty' | 'pending'; className?: string };

/** The picture of a state in sector blocks: 22 columns of 4. Decorative; the words beside it say the state. */
export function Blocks(props: BlocksProps) {
  return (
    <svg
      className={cx(styles.blocks, props.className)}
      viewBox="0 0 306 54"
      width="306"
      height="54"
      aria-hidden="true"
      focusable="false"
    >
      {layers(props)}
    </svg>
  );
}

function layers(props: BlocksProps) {
  switch (props.state) {
    case 'waiting':
      return (
        <>
          <use className={styles.placed} href={`${LAYERS}#waiting-placed`} />
          <use className={cx(styles.lost, styles.pulse)} href={`${LAYERS}#waiting-lost`} />
          <use className={cx(styles.found, styles.pulse)} href={`${LAYERS}#waiting-found`} />
        </>
      );
    case 'failure':
      return (
        <>
          <use className={styles.lost} href={`${LAYERS}#failure-lost`} />
          <use className={styles.placed} href={`${LAYERS}#failure-placed`} />
          <use className={styles.bad} href={`${LAYERS}#failure-bad`} />
        </>
      );
    case 'success':
      return <Run className={styles.placed} from={0} to={COLUMNS} />;
    case 'empty':
      return <Run className={styles.lost} from={0} to={COLUMNS} />;
    case 'pending':
      return (
        <>
          <Run className={styles.placed} from={0} to={13} />
          <Run className={styles.found} from={13} to={15} />
          <Run className={styles.lost} from={15} to={COLUMNS} />
        </>
      );
    case 'progress': {
      const filled = Math.round(Math.min(1, Math.max(0, props.value)) * COLUMNS);
      return (
        <>
          <Run className={styles.placed} from={0} to={filled} />
          <Run className={styles.lost} from={filled} to={COLUMNS} />
        </>
      );
    }
  }
}

/** The columns from `from` up to `to`, as dashed strokes: one path for a whole run of blocks. */
function Run({ className, from, to }: { className: string | undefined; from: number; to: number }) {
  if (to <= from) return null;
  const d = ROWS.map((y) => `M${from * PITCH} ${y}h${(to - from) * PITCH - 2}`).join('');
  return <path className={className} fill="none" stroke="currentColor" strokeWidth="12" strokeDasharray="12 2" d={d} />;
}

/** The file with holes of the idle drop zone: found blocks hover above it. */
export function FileBlocks({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 204 153" width="204" height="153" aria-hidden="true" focusable="false">
      <use className={styles.placed} href={`${LAYERS}#file-placed`} />
      <use className={styles.found} href={`${LAYERS}#file-found`} />
    </svg>
  );
}

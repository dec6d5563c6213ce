import { Icon } from '@/components/ui/icon';
import type { OnlineTool } from '@/lib/catalog/tools';
import styles from './repair-tool.module.scss';

const icons = { video: 'film', file: 'file-text', photo: 'image' } as const;

/** The file's name with one fact beside it. */
export function FileLine({ tool, name, detail }: { tool: OnlineTool; name: string; detail: string }) {
  return (
    <p className={styles.file}>
      <Icon name={icons[tool.kind]} />
      <b>{name}</b>
      <span>{detail}</span>
    </p>
  );
}

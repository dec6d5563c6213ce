import type { ReactNode } from 'react';
import { Wrap } from '@/components/ui/band';
import type { OnlineTool } from '@/lib/catalog/tools';
import { RepairTool } from './repair-tool';
import styles from './tool-page.module.scss';

type ToolPageProps = { tool: OnlineTool; title: string; lead: string; children: ReactNode };

/** The page around the one screen of the online tools: heading above, what to know below. */
export function ToolPage({ tool, title, lead, children }: ToolPageProps) {
  return (
    <>
      <section className={styles.head}>
        <Wrap>
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
          <RepairTool tool={tool} />
        </Wrap>
      </section>
      {children}
    </>
  );
}

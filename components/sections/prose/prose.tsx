import { Band } from '@/components/ui/band';
import { Notice } from '@/components/ui/notice';
import { headingId } from '@/lib/content/heading-id';
import type { ProseBlock, SectionOf } from '@/lib/content/sections';
import { Picture } from '../shared/picture';
import { RichText } from '../shared/rich-text';
import styles from '../texts.module.scss';
import { ProseTable } from './prose-table';

/** Running text under headings, with a list of its headings when asked for. */
export function Prose({ section }: { section: SectionOf<'prose'> }) {
  const { contents = false, blocks, ...band } = section;
  const headings = blocks.filter((block) => 'title' in block && block.level !== 3) as { title: string; id?: string }[];
  return (
    <Band tight {...band}>
      <div className={styles.proseLayout} data-contents={contents}>
        {contents && (
          <nav className={styles.proseContents} aria-label="On this page" data-card-place="">
            <p>On this page</p>
            <ul>
              {headings.map(({ title, id }) => (
                <li key={title}>
                  <a href={`#${id ?? headingId(title)}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className={styles.proseText}>
          {blocks.map((block) => (
            <Block key={keyOf(block)} block={block} />
          ))}
        </div>
      </div>
    </Band>
  );
}

function keyOf(block: ProseBlock): string {
  return JSON.stringify(block).slice(0, 120);
}

function Block({ block }: { block: ProseBlock }) {
  if ('title' in block) {
    const Heading = block.level === 3 ? 'h3' : 'h2';
    return <Heading id={block.id ?? headingId(block.title)}>{block.title}</Heading>;
  }
  if ('text' in block) {
    return (
      <p>
        <RichText text={block.text} />
      </p>
    );
  }
  if ('list' in block) {
    const List = block.ordered ? 'ol' : 'ul';
    return (
      <List>
        {block.list.map((item) => (
          <li key={item}>
            <RichText text={item} />
          </li>
        ))}
      </List>
    );
  }
  if ('table' in block) return <ProseTable {...block.table} />;
  if ('picture' in block) {
    return (
      <figure className={styles.proseFigure}>
        <Picture picture={block.picture} />
      </figure>
    );
  }
  return (
    <Notice tone={block.tone}>
      <RichText text={block.note} />
    </Notice>
  );
}

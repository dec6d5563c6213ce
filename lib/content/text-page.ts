import { brands } from '../catalog/brands';
import type { PageContent } from './page';
import { dayInWords } from './phrases';
import { contentPages, route } from './routes';
import type { ProseBlock, Section } from './sections';

/** When a guide or an article last changed (ISO 8601). */
export const changedOf = ({ path }: PageContent): string => route(path).changed;

/** What belongs to a guide or an article: the pages that it names, and the texts that name it. */
function relatedTo({ path, text }: PageContent): readonly string[] {
  const naming = contentPages.filter((page: PageContent) => page.text?.related.includes(path));
  return [...new Set([...(text?.related ?? []), ...naming.map((page) => page.path)])];
}

/** The sections of a guide or an article: who wrote it and when it last changed under its heading, what belongs to it at its end. */
export function textSections(content: PageContent): readonly Section[] {
  const { text, sections } = content;
  if (!text) return sections;
  const byline = `${brands[route(content.path).skin].name}, last changed on ${dayInWords(changedOf(content))}`;
  const more: readonly ProseBlock[] = [
    { title: 'Read on', id: 'read-on' },
    { list: relatedTo(content).map((path) => `[${route(path as PageContent['path']).name}](${path})`) },
  ];
  return sections.map((section) => {
    if (section.kind === 'pagehead') return { ...section, note: byline };
    return section.kind === 'prose' ? { ...section, blocks: [...section.blocks, ...more] } : section;
  });
}

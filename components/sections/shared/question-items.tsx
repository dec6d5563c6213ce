import type { AccordionItem } from '@/components/ui/accordion';
import type { Question } from '@/lib/content/sections';
import { RichText } from './rich-text';

/** Questions as items of an accordion. */
export function questionItems(questions: readonly Question[]): AccordionItem[] {
  return questions.map(({ question, answer }) => ({
    title: question,
    body: (
      <p>
        <RichText text={answer} />
      </p>
    ),
  }));
}

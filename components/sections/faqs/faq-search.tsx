'use client';

import { useEffect, useRef, useState } from 'react';
import { QueryLink } from '@/components/actions/query-link';
import { TextField } from '@/components/ui/field';
import styles from '../texts.module.scss';

type Found = { typed: string; count: number; all: number };

/** Hides the questions that do not hold every typed word, or another word for it, and the topics without any. */
export function FaqSearch({ target }: { target: string }) {
  const [found, setFound] = useState<Found | null>(null);
  const newest = useRef('');
  const box = useRef<HTMLElement>(null);

  async function search(input: string) {
    const typed = input.trim();
    newest.current = typed;
    // The list of words comes with the first letter; what was typed since is searched for by its own call.
    const holdsWords = await import('@/lib/utils/faq-words').then((module) => module.holdsWords).catch(() => holdsText);
    if (newest.current !== typed) return;
    let count = 0;
    let all = 0;
    for (const topic of document.querySelectorAll<HTMLElement>(`#${target} [data-topic]`)) {
      let inTopic = 0;
      for (const question of topic.querySelectorAll('details')) {
        const matches = holdsWords(question.textContent ?? '', typed);
        question.hidden = !matches;
        question.open = matches && typed !== '';
        inTopic += Number(matches);
        all += 1;
      }
      topic.hidden = inTopic === 0;
      count += inTopic;
    }
    setFound(typed === '' ? null : { typed, count, all });
  }

  // What was typed before the page was alive is searched for as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes alive
  useEffect(() => {
    const typed = box.current?.querySelector('input')?.value;
    if (typed) void search(typed);
  }, []);

  return (
    <search ref={box} className={styles.faqsSearch} data-card-place="">
      <TextField
        label="Search the questions"
        type="search"
        autoComplete="off"
        onChange={(event) => void search(event.target.value)}
      />
      <p className={styles.faqsFound} role="status">
        {found ? sentence(found) : ''}
        {found?.count === 0 ? (
          <>
            {' '}
            Try fewer words, or <QueryLink href="/contact-us">write to us</QueryLink>.
          </>
        ) : null}
      </p>
    </search>
  );
}

/** Where the list of other words does not load, the typed ones alone are looked for. */
function holdsText(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.toLowerCase());
}

function sentence({ typed, count, all }: Found): string {
  if (count === 0) return `Nothing about “${typed}” in the ${all} questions and their answers.`;
  return count === 1 ? 'One question' : `${count} questions`;
}

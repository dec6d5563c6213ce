'use client';

import { useState } from 'react';
import { TextField } from '@/components/ui/field';
import styles from '../texts.module.scss';

/** Hides the questions that do not hold every typed word, and the topics without any. */
export function FaqSearch({ target }: { target: string }) {
  const [count, setCount] = useState<number | null>(null);

  function search(typed: string) {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const topic of document.querySelectorAll<HTMLElement>(`#${target} [data-topic]`)) {
      let inTopic = 0;
      for (const question of topic.querySelectorAll('details')) {
        const text = (question.textContent ?? '').toLowerCase();
        const matches = words.every((word) => text.includes(word));
        question.hidden = !matches;
        question.open = matches && words.length > 0;
        inTopic += Number(matches);
      }
      topic.hidden = inTopic === 0;
      found += inTopic;
    }
    setCount(words.length ? found : null);
  }

  return (
    <search className={styles.faqsSearch}>
      <TextField
        label="Search the questions"
        type="search"
        autoComplete="off"
        onChange={(event) => search(event.target.value)}
      />
      <p className={styles.faqsFound} role="status">
        {count === null ? '' : sentence(count)}
      </p>
    </search>
  );
}

function sentence(count: number): string {
  if (count === 0) return 'No question holds these words. Try fewer, or write to us.';
  return count === 1 ? 'One question' : `${count} questions`;
}

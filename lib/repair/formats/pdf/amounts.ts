import type { Amount, Shown } from '../../report/facts/document';

/** Pages and words; of long documents the words of the first pages are counted. */
export function amountsOf({ pages, words, texts }: Shown): Amount[] {
  return [
    { unit: 'pages', count: pages },
    { unit: 'words', count: words, ...(pages > texts && texts > 0 ? { texts } : {}) },
  ];
}

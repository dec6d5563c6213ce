// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { waitingWords } from '@/components/repair/waiting-words';

describe('the words of the queue', () => {
  it.each([
    [null, 'Your file is being repaired.'],
    [{ position: 1, seconds: null }, 'Yours is next in the queue.'],
    [{ position: 1, seconds: 0 }, 'Yours is next in the queue: it starts in a few seconds.'],
    [{ position: 3, seconds: null }, 'Place 3 in the queue.'],
    [{ position: 3, seconds: 14 }, 'Place 3 in the queue: it starts in about 10 seconds.'],
    [{ position: 4, seconds: 89 }, 'Place 4 in the queue: it starts in about 90 seconds.'],
    [{ position: 5, seconds: 92 }, 'Place 5 in the queue: it starts in about 2 minutes.'],
    [{ position: 9, seconds: 600 }, 'Place 9 in the queue: it starts in about 10 minutes.'],
  ])('%j', (place, words) => expect(waitingWords(place)).toBe(words));
});

'use client';

import { useEffect } from 'react';
import { takeEarlyPresses } from '@/lib/utils/early-presses';

/** The root layout itself broke, so neither styles nor fonts can be relied on. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  // Whatever broke before may have been what hears presses.
  useEffect(() => void takeEarlyPresses(), []);
  return (
    <html lang="en">
      <body>
        <main>
          <h1>This page didn’t load</h1>
          <p>Something went wrong on our side. Nothing you stored here is lost.</p>
          <p>
            <button type="button" onClick={reset}>
              Try again
            </button>
          </p>
          <p>
            <a href="/">Back to home</a>
          </p>
        </main>
      </body>
    </html>
  );
}

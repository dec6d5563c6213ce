'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import styles from './kit.module.scss';

/** A heading that takes the focus when it appears, where one step of a screen replaces another. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} className={styles.step} tabIndex={-1}>
      {children}
    </h2>
  );
}

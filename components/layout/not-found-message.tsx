import type { ReactNode } from 'react';
import { Art } from '@/components/ui/art';
import { drawings } from '@/lib/content/pictures';
import islands from '@/styles/islands.module.scss';
import styles from '@/styles/site.module.scss';

/** A 404 built from blocks, three of them out of place. */
export function NotFoundMessage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={islands.messagePage}>
      <div className={styles.messageBody}>
        <Art drawing={drawings['not-found']} label="404" className={styles.messagePicture} />
        <h1>{title}</h1>
        <p className="lead">{text}</p>
        {children}
      </div>
    </div>
  );
}

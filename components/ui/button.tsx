import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import styles from '@/styles/islands.module.scss';
import { cx } from './cx';

/** How a button looks. One `primary` per view; `found` and `on-field` stand on coloured fields only. */
export type ButtonLook = {
  variant?: 'primary' | 'line' | 'found' | 'on-field';
  size?: 'm' | 's';
  wide?: boolean;
};

const variants = {
  primary: undefined,
  line: styles.buttonLine,
  found: styles.buttonFound,
  'on-field': styles.buttonOnField,
} as const;

/** The class names of a button, for links of other components (`QueryLink`, `BuyButton`, `DownloadButton`). */
export function buttonClass({ variant = 'primary', size = 'm', wide = false }: ButtonLook = {}): string {
  return cx(styles.button, variants[variant], size === 's' && styles.buttonSmall, wide && styles.buttonWide);
}

/** The class name of a text link that ends with an arrow (`<Icon name="arrow-right" />`). */
export const moreClass: string = styles.buttonMore ?? '';

/** The class name of a square button that holds one icon and has an `aria-label`. */
export const iconButtonClass: string = styles.buttonIconButton ?? '';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & ButtonLook & { busy?: boolean };

/** A button. While `busy` it keeps its label and width, cannot be pressed and stays focusable. */
export function Button({ variant, size, wide, busy = false, className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(buttonClass({ variant, size, wide }), className)}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? preventPress : rest.onClick}
    />
  );
}

function preventPress(event: { preventDefault: () => void }): void {
  event.preventDefault();
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & ButtonLook;

/** A plain link (external, download, fragment) that looks like a button. */
export function ButtonLink({ variant, size, wide, className, ...rest }: ButtonLinkProps) {
  return <a {...rest} className={cx(buttonClass({ variant, size, wide }), className)} />;
}

/** A row of buttons that wraps. */
export function ButtonRow({ children, mid, className }: { children: ReactNode; mid?: boolean; className?: string }) {
  return <div className={cx(styles.buttonRow, mid && styles.buttonMid, className)}>{children}</div>;
}

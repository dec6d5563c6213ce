'use client';

import { Button } from 'antd';
import type { MouseEvent, ReactNode } from 'react';
import { cx } from '@/components/ui/cx';
import styles from './kit.module.scss';

type ActionButtonProps = {
  children: ReactNode;
  tone?: 'primary' | 'line' | 'danger';
  size?: 'm' | 's';
  type?: 'button' | 'submit';
  /** While it is, the button keeps its label and width, cannot be pressed and stays focusable. */
  busy?: boolean;
  autoFocus?: boolean;
  className?: string | undefined;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
};

/** A button of the screens of account holders. */
export function ActionButton({
  tone = 'primary',
  size = 'm',
  type = 'button',
  busy,
  onClick,
  ...rest
}: ActionButtonProps) {
  return (
    <Button
      {...rest}
      type={tone === 'line' ? 'default' : 'primary'}
      danger={tone === 'danger'}
      htmlType={type}
      autoInsertSpace={false}
      aria-disabled={busy || undefined}
      className={cx(styles.button, size === 's' && styles.small, rest.className)}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    />
  );
}

import { create } from 'zustand';
import { randomId } from '../lib/utils/random-id';

/** A short message at the top of the screen: `status` is said politely, `error` at once. */
export type Toast = { id: string; tone: 'status' | 'error'; text: string };

/** The toasts on the screen, oldest first. */
export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }));

/** Shows a toast; the same text is not shown twice at a time, so ten calls that fail together make one. */
export function showToast(text: string, tone: Toast['tone'] = 'status'): void {
  useToasts.setState(({ toasts }) =>
    toasts.some((toast) => toast.text === text) ? { toasts } : { toasts: [...toasts, { id: randomId(), tone, text }] },
  );
}

/** Takes a toast away. */
export function dismissToast(id: string): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

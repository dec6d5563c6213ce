import { create } from 'zustand';
import { readStored, removeStored, writeStored } from '../lib/utils/browser-storage';
import { randomId } from '../lib/utils/random-id';

/** What a toast offers to do about what it says. */
export type ToastAction = { label: string; run: () => void };

/** A short message at the top of the screen: `status` is said politely, `error` at once. */
export type Toast = {
  id: string;
  tone: 'status' | 'error';
  text: string;
  action?: ToastAction | undefined;
  about?: string | undefined;
};

type ToastOptions = {
  action?: ToastAction | undefined;
  /** What it is about: a later one about the same takes its place, since what it said no longer holds. */
  about?: string | undefined;
  /** Said again after the page has been left for another load, since nobody could have read it before. */
  outlivesPage?: boolean | undefined;
};

const KEPT = 'keptToast';

/** The toasts on the screen, oldest first. */
export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }));

/** Shows a toast; the same text is not shown twice at a time, so ten calls that fail together make one. */
export function showToast(text: string, tone: Toast['tone'] = 'status', options: ToastOptions = {}): void {
  const { action, about, outlivesPage } = options;
  const holds = (toast: Toast) => toast.text !== text && !(about && toast.about === about);
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter(holds), { id: sameId(toasts, text), tone, text, action, about }],
  }));
  if (outlivesPage) writeStored(KEPT, text, 'sessionStorage');
}

function sameId(toasts: readonly Toast[], text: string): string {
  return toasts.find((toast) => toast.text === text)?.id ?? randomId();
}

/** Takes a toast away. */
export function dismissToast(id: string): void {
  const { toasts } = useToasts.getState();
  const gone = toasts.find((toast) => toast.id === id);
  if (gone && readStored(KEPT, 'sessionStorage') === gone.text) removeStored(KEPT, 'sessionStorage');
  useToasts.setState({ toasts: toasts.filter((toast) => toast.id !== id) });
}

/** Shows what was said just before this page was loaded. */
export function showKeptToast(): void {
  const text = readStored(KEPT, 'sessionStorage');
  removeStored(KEPT, 'sessionStorage');
  if (text) showToast(text);
}

/** How long a toast stays: six seconds, longer for more words; one that offers something stays until it is answered. */
export function toastLifeMs({ text, action }: Pick<Toast, 'text' | 'action'>): number | null {
  if (action) return null;
  const words = text.split(/\s+/).length;
  return Math.max(6000, 2000 + words * 500);
}

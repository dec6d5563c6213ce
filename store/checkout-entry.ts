/** Says of an entry of the history that the checkout stands over its page. */
const MARK = 'mendaraCheckout';

/** So long a step back is waited for, in milliseconds; within a page it takes some. */
const STEP_MS = 500;

/** What we use of the Navigation API, which not every browser has. */
type Traversal = { currentEntry: { key: string } | null; traverseTo(key: string): { finished: Promise<unknown> } };
const traversal = () => (window as { navigation?: Traversal }).navigation;

/** Key of the page's own entry, where the browser tells it. */
let pageEntry: string | undefined;
/** A step back that is under way. */
let leaving: Promise<unknown> | null = null;

/** True where the present entry of the history is the checkout's own, be it open or not. */
export function isCheckoutEntry(): boolean {
  return (window.history.state as Record<string, unknown> | null)?.[MARK] === true;
}

/**
 * Gives the open checkout an entry of its own, so that Back leads from it to the page and not to the page before.
 *
 * @param onBack called when the visitor went back from it
 * @returns the way to stop listening
 */
export function enterCheckout(onBack: () => void): () => void {
  const over = new AbortController();
  const enter = () => {
    if (over.signal.aborted) return;
    if (!isCheckoutEntry()) {
      pageEntry = traversal()?.currentEntry?.key;
      window.history.pushState({ ...window.history.state, [MARK]: true }, '');
    }
    const onPop = () => {
      if (!isCheckoutEntry() && !leaving) onBack();
    };
    window.addEventListener('popstate', onPop, { signal: over.signal });
  };
  // One that was closed a moment ago may still be on its way back.
  if (leaving) void leaving.then(enter);
  else enter();
  return () => over.abort();
}

/**
 * Goes back to the page's own entry once the checkout is closed; done when that is done. Pages that the provider's frame went through
 * have entries in between, which are passed where the browser can. Only for who stays: it would end a load that has begun.
 */
export async function leaveCheckoutEntry(): Promise<void> {
  if (!isCheckoutEntry()) return;
  leaving ??= stepBack().finally(() => {
    leaving = null;
  });
  await leaving;
}

async function stepBack(): Promise<void> {
  const isBack = new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true });
    setTimeout(resolve, STEP_MS);
  });
  const history = traversal();
  if (history && pageEntry !== undefined) history.traverseTo(pageEntry).finished.catch(() => undefined);
  else window.history.back();
  await isBack;
}

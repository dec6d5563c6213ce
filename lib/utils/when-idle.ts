/** Calls back once the page has loaded and has nothing else to do; returns the way to stop waiting. */
export function whenIdle(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let handle = 0;
  const wait = () => {
    if ('requestIdleCallback' in window) handle = window.requestIdleCallback(callback, { timeout: 2000 });
    else timer = setTimeout(callback, 1000);
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
  return () => {
    window.removeEventListener('load', wait);
    clearTimeout(timer);
    if (handle) window.cancelIdleCallback(handle);
  };
}

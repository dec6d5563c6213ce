/**
 * Calls back once what is there now was painted, or so many milliseconds later; returns the way to stop waiting. A tab that nobody looks
 * at is not painted.
 */
export function afterPaint(callback: () => void, ms = 0): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(callback, ms);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

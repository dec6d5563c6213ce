/** True for a page that stands in a frame of another page of ours, as where a payment in the checkout's overlay led to. */
export function isFramedByOwn(): boolean {
  if (window.parent === window) return false;
  try {
    return window.parent.location.origin === window.location.origin;
  } catch {
    // Another origin's page does not tell its address.
    return false;
  }
}

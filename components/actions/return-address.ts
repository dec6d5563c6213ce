/** Message with which a framed page of ours hands its address to the page that opened the checkout. */
export const RETURN_MESSAGE = 'mendara:checkout-return';

/** Paths that stand inside a frame on purpose. */
const framedOnPurpose = ['/tools/Banner', '/checkout'];

/**
 * successUrl and cancelUrl load inside the checkout's frame: the page hands its address over and does nothing else
 * (contract, "Buying, in detail"). True when it did.
 */
export function handOverFramedAddress(): boolean {
  if (window.parent === window) return false;
  if (framedOnPurpose.some((path) => window.location.pathname.startsWith(path))) return false;
  try {
    if (window.parent.location.origin !== window.location.origin) return false;
  } catch {
    return false;
  }
  window.parent.postMessage({ type: RETURN_MESSAGE, href: window.location.href }, window.location.origin);
  return true;
}

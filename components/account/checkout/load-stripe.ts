/** The part of Stripe.js that is used here (Stripe, "Embedded Checkout"). */
type EmbeddedCheckout = { mount: (element: HTMLElement) => void; destroy: () => void };
type StripeClient = {
  initEmbeddedCheckout: (options: { fetchClientSecret: () => Promise<string> }) => Promise<EmbeddedCheckout>;
};
type StripeFactory = (publishableKey: string) => StripeClient;

/** Stripe wants its script from its own address, of the release that fits the API version the server names. */
const SCRIPT = 'https://js.stripe.com/basil/stripe.js';

/** Loads Stripe's script once. Rejects when it does not come. */
export function loadStripe(): Promise<StripeFactory> {
  return new Promise((resolve, reject) => {
    const ready = () => {
      const { Stripe } = window as { Stripe?: StripeFactory };
      if (Stripe) resolve(Stripe);
      else reject(new Error('The script of the payment provider did not run.'));
    };
    if ('Stripe' in window) return ready();
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.onload = ready;
    script.onerror = () => reject(new Error('The script of the payment provider did not load.'));
    document.head.append(script);
  });
}

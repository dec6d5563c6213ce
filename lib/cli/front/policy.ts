/** Origins that the running configuration adds to the policy. */
export type PolicyOrigins = {
  frame: string[];
  connect: string[];
  image: string[];
  bannerAncestors: string[];
  /** Sites elsewhere that use this API and frame its payment page. */
  checkoutAncestors: string[];
  /** What the payment provider's own form needs, on the payment page alone. */
  checkout: ProviderOrigins;
};

type ProviderOrigins = { script: string[]; frame: string[]; connect: string[]; image: string[] };

/** By provider, as its integration guide lists them (Stripe, "Security guide", Content Security Policy). */
const providerOrigins: Record<string, ProviderOrigins | undefined> = {
  stripe: {
    script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frame: [
      'https://js.stripe.com',
      'https://*.js.stripe.com',
      'https://checkout.stripe.com',
      'https://hooks.stripe.com',
    ],
    connect: ['https://api.stripe.com', 'https://checkout.stripe.com'],
    image: ['https://*.stripe.com'],
  },
};

const noOrigins: ProviderOrigins = { script: [], frame: [], connect: [], image: [] };

/** The page that the checkout frames. It is always a document of its own, so it may have a policy of its own. */
const CHECKOUT_ROUTE = '/checkout';

/** Origins of a list of addresses, without repeats; what is no absolute address is left out. */
function originsOf(addresses: readonly (string | undefined)[]): string[] {
  const origins = addresses.flatMap((address) => {
    if (!address) return [];
    try {
      return [new URL(address).origin];
    } catch {
      return [];
    }
  });
  return [...new Set(origins)];
}

/** Where browsers reach the object store: its bucket is named in the path, or before the host. */
function storeOf(env: NodeJS.ProcessEnv): string | undefined {
  const { S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: publicEndpoint, S3_BUCKET: bucket } = env;
  const address = publicEndpoint || endpoint;
  if (!address || !bucket || !/^(0|false|off|no)$/.test(env.S3_PATH_STYLE ?? '')) return address;
  return address.replace('://', `://${bucket}.`);
}

/** The policy's additions from the environment: payment provider, object store, product API and event host. */
export function policyOrigins(env: NodeJS.ProcessEnv): PolicyOrigins {
  const list = (value: string | undefined) => (value ?? '').split(/[\s,]+/).filter(Boolean);
  const api = env.NEXT_PUBLIC_PRODUCT_API_URL;
  return {
    frame: originsOf([api, ...list(env.PAYMENT_FRAME_ORIGINS)]),
    connect: originsOf([
      api,
      env.NEXT_PUBLIC_EVENT_HOST,
      env.INSTALLER_BASE_URL,
      storeOf(env),
      ...list(env.STORAGE_ORIGINS),
    ]),
    image: originsOf(list(env.IMAGE_ORIGINS)),
    bannerAncestors: originsOf(list(env.BANNER_FRAME_ANCESTORS)),
    checkoutAncestors: originsOf(list(env.ALLOWED_ORIGINS)),
    checkout: providerOrigins[env.PAYMENT_PROVIDER ?? ''] ?? noOrigins,
  };
}

/**
 * A page's Content-Security-Policy (CSP Level 3). A document keeps its policy across navigation in the app, so routes
 * differ in script hashes and in who may frame them only.
 */
export function contentSecurityPolicy(route: string, hashes: readonly string[], origins: PolicyOrigins): string {
  const provider = route === CHECKOUT_ROUTE ? origins.checkout : noOrigins;
  const ancestors = ["'self'", ...ancestorsOf(route, origins)];
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...hashes, ...provider.script].join(' '),
    "style-src 'self'",
    ['img-src', "'self'", 'data:', 'blob:', ...origins.image, ...provider.image].join(' '),
    "font-src 'self'",
    ['connect-src', "'self'", ...origins.connect, ...provider.connect].join(' '),
    ['frame-src', "'self'", ...origins.frame, ...provider.frame].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    ['frame-ancestors', ...ancestors].join(' '),
  ].join('; ');
}

/** Origins besides our own that may frame a page. */
export function ancestorsOf(route: string, origins: PolicyOrigins): string[] {
  if (route === '/tools/Banner') return origins.bannerAncestors;
  return route === CHECKOUT_ROUTE ? origins.checkoutAncestors : [];
}

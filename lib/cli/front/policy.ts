/** Origins that the running configuration adds to the policy. */
export type PolicyOrigins = { frame: string[]; connect: string[]; image: string[]; bannerAncestors: string[] };

/** Origins of a list of addresses, without repeats; what is no absolute address is left out. */
export function originsOf(addresses: readonly (string | undefined)[]): string[] {
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

/** The policy's additions from the environment: payment provider, object store, product API and event host. */
export function policyOrigins(env: NodeJS.ProcessEnv): PolicyOrigins {
  const list = (value: string | undefined) => (value ?? '').split(/[\s,]+/).filter(Boolean);
  const api = env.NEXT_PUBLIC_PRODUCT_API_URL;
  return {
    frame: originsOf([api, ...list(env.PAYMENT_FRAME_ORIGINS)]),
    connect: originsOf([api, env.NEXT_PUBLIC_EVENT_HOST, env.INSTALLER_BASE_URL, ...list(env.STORAGE_ORIGINS)]),
    image: originsOf(list(env.IMAGE_ORIGINS)),
    bannerAncestors: originsOf(list(env.BANNER_FRAME_ANCESTORS)),
  };
}

/**
 * A page's Content-Security-Policy (CSP Level 3). A document keeps its policy across navigation in the app, so routes
 * differ in script hashes and in who may frame them only.
 */
export function contentSecurityPolicy(route: string, hashes: readonly string[], origins: PolicyOrigins): string {
  const ancestors = route === '/tools/Banner' ? ["'self'", ...origins.bannerAncestors] : ["'self'"];
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...hashes].join(' '),
    "style-src 'self'",
    ['img-src', "'self'", 'data:', 'blob:', ...origins.image].join(' '),
    "font-src 'self'",
    ['connect-src', "'self'", ...origins.connect].join(' '),
    ['frame-src', "'self'", ...origins.frame].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    ['frame-ancestors', ...ancestors].join(' '),
  ].join('; ');
}

/** Somebody whom the provider knows. */
export type ProviderPerson = { sub: string; email?: string; email_verified?: boolean };

/** A real OpenID Connect provider (oidc-provider) on loopback, whose faults a test chooses. */
export type TestProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who signs in next; null: whoever is there declines. */
  person: ProviderPerson | null;
  /** Signs with another key from now on; the one before is gone. */
  rotateKeys(): void;
  /** Changes what an ID token says, before it is signed. */
  spoil: ((claims: Record<string, unknown>) => void) | null;
  /** Answers everything with this status, while it is set. */
  trouble: number | null;
  /** True: keeps every connection open and answers nothing. */
  isSilent: boolean;
  /** Paths that were asked for. */
  asked: string[];
  stop(): Promise<void>;
};

/** Starts it for a site whose callback address is given; `port` is any free one unless named. */
export function startProvider(callback: string, port?: number): Promise<TestProvider>;

import 'server-only';

const stripeKeys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
const openIdKeys = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const s3Keys = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

type Name = (typeof stripeKeys | typeof openIdKeys | typeof s3Keys)[number] | 'S3_PUBLIC_ENDPOINT';
type Configured = { PAYMENT_PROVIDER: string; MAIL_FROM?: string | undefined; SMTP_URL?: string | undefined } & {
  [name in Name]?: string | undefined;
};

/**
 * What was begun and not finished, a sentence each. Half of an adapter's variables is a slip, and the embedded part in its place would
 * go unnoticed until somebody pays or signs in.
 */
export function halfConfigured(value: Configured): string[] {
  const lacking = (names: readonly Name[]) => names.filter((name) => !value[name]);
  const given = (names: readonly Name[]) => names.filter((name) => value[name]);
  const sentences: string[] = [];
  if (value.PAYMENT_PROVIDER === 'stripe') {
    sentences.push(...lacking(stripeKeys).map((name) => `PAYMENT_PROVIDER=stripe needs ${name}`));
  } else {
    const [first] = given(stripeKeys);
    if (first)
      sentences.push(`${first} is set, but payments go to the sandbox: set PAYMENT_PROVIDER=stripe, or unset it`);
  }
  const [begun] = given(openIdKeys);
  if (begun)
    sentences.push(
      ...lacking(openIdKeys).map((name) => `${begun} is set: sign-in by OpenID Connect needs ${name} too`),
    );
  const s3Lacking = s3Keys.filter((name) => !value[name]);
  if (s3Lacking.length > 0 && (s3Lacking.length < s3Keys.length || value.S3_PUBLIC_ENDPOINT))
    sentences.push(
      `the object store is configured in part: ${s3Lacking.join(', ')} must be set too, or none of the S3 variables`,
    );
  return sentences;
}

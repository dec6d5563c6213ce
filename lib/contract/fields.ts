import * as z from 'zod/mini';

/**
 * A field that another product API may leave out, or send as null: its absence means `meaning`. What is read is always
 * there, so that no reader has to know who answered.
 */
export function orElse<T>(schema: z.ZodMiniType<T, T>, meaning: T): z.ZodMiniType<T, T | null | undefined> {
  return z.pipe(z.nullish(schema).check(z.overwrite((value) => value ?? meaning)), schema);
}

/** An answer of which nothing is used, whatever it holds: a call whose answer is not settled (lib/contract/README.md, 47). */
export const nothingSchema: z.ZodMiniType<null> = z.pipe(
  z.transform(() => null),
  z.null(),
);

/** An object, or null for an answer that is none. */
export function orNull<T, In extends object>(schema: z.ZodMiniType<T, In>): z.ZodMiniType<T | null, unknown> {
  const object = z.transform((value: unknown) => (typeof value === 'object' && !Array.isArray(value) ? value : null));
  return z.pipe(object, z.nullable(schema));
}

/** What fits the schema, or null for anything else: for calls whose answer is not settled (lib/contract/README.md, 47). */
export function ifFits<In extends object, T extends object>(
  schema: z.ZodMiniType<T, In>,
): z.ZodMiniType<T | null, unknown> {
  // Not z.catch: it would bring 2.7 kB of code that words errors.
  const fitting = z.transform((value: unknown): object | null => {
    const read = z.safeParse(schema, value);
    return read.success ? read.data : null;
  });
  return z.pipe(fitting, z.nullable(schema));
}

/** A text; one that is sent as a number is read as its digits. */
export const textSchema = z.pipe(
  z.pipe(
    z.union([z.string(), z.number()]),
    z.transform((value: string | number) => String(value)),
  ),
  z.string(),
);

/** An identifier; one that is sent as a number is read as its digits. */
export const idSchema = z.pipe(textSchema, z.string().check(z.minLength(1)));

/** A moment, ISO 8601 in UTC. */
export const momentSchema = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value))));

/** An amount of money as a decimal string such as `"9.99"`. */
export const amountSchema = z.string().check(z.regex(/^\d{1,9}(\.\d{1,2})?$/));

/** Currency code (ISO 4217), upper-case. */
export const currencySchema = z.string().check(z.regex(/^[A-Z]{3}$/));

/** An address of the web, absolute or on the API's own site: never `javascript:`, `data:` or a program's own scheme. */
export const webAddressSchema = z.string().check(
  z.minLength(1),
  z.refine((value) => {
    const base = 'https://site.example';
    return URL.canParse(value, base) && /^https?:$/.test(new URL(value, base).protocol);
  }),
);

import { boolean, index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { instant } from './columns';

/** Account holders. `email` is stored lower-case; `passwordHash` is null until a password was set (argon2id). */
export const users = pgTable('users', {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  passwordHash: text(),
  mustChangePassword: boolean().notNull().default(false),
  /** When the preset password ends; null once the password is the user's own. */
  presetEndsAt: instant(),
  firstName: text().notNull().default(''),
  lastName: text().notNull().default(''),
  address: text().notNull().default(''),
  country: text().notNull().default(''),
  createdAt: instant().notNull(),
});

/** Live sign-ins. Only the SHA-256 of the bearer token is kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    tokenHash: text().notNull().unique(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userAgent: text().notNull(),
    createdAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/** One-time tickets of the embedded sign-in provider, bound to the origin they return to and to that address's `state`. */
export const tickets = pgTable('tickets', {
  hash: text().primaryKey(),
  userId: text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  origin: text().notNull(),
  state: text(),
  expiresAt: instant().notNull(),
});

/** Addresses waiting to be confirmed. `codeHash` is null until the mail with the code was written. */
export const registrations = pgTable(
  'registrations',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    passwordHash: text().notNull(),
    codeHash: text(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.email)],
);

/** Codes that reset a password, at most one per account. */
export const resetCodes = pgTable('reset_codes', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  codeHash: text().notNull(),
  expiresAt: instant().notNull(),
});

/**
 * Who an account is at an OpenID Connect provider: `subject` never changes there and is never given to somebody else (OpenID Connect
 * Core 1.0, section 2). One for each account and provider.
 */
export const identities = pgTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    linkedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), unique().on(table.userId, table.issuer)],
);

/**
 * Sign-ins that are under way at an OpenID Connect provider; each is used once. `browserHash` is that of a cookie, so that what one
 * browser began no other one ends.
 */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    stateHash: text().primaryKey(),
    browserHash: text().notNull(),
    nonce: text().notNull(),
    codeVerifier: text().notNull(),
    returnTo: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.expiresAt)],
);

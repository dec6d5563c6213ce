import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate` writes the migrations that both the embedded database and PostgreSQL run. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './lib/server/db/schema/index.ts',
  out: './lib/server/db/migrations',
  casing: 'snake_case',
});

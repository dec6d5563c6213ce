import 'server-only';
import { eq } from 'drizzle-orm';
import type { Executor } from './database';
import { announcements } from './schema';

/** What processes of one database tell each other. */
export type Announcement = 'site-url' | 'secrets';

/** What was told last; null when nobody did. */
export async function readAnnouncement(db: Executor, name: Announcement): Promise<string | null> {
  const [row] = await db.select().from(announcements).where(eq(announcements.name, name));
  return row?.value ?? null;
}

/** Tells it. With `onlyFirst`, what another process told stands. */
export async function announce(
  db: Executor,
  name: Announcement,
  value: string,
  at: Date,
  onlyFirst = false,
): Promise<void> {
  const insert = db.insert(announcements).values({ name, value, at });
  if (onlyFirst) await insert.onConflictDoNothing();
  else await insert.onConflictDoUpdate({ target: announcements.name, set: { value, at } });
}

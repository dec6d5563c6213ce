import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrationsFolder } from '@/lib/server/db/migrate';

type Column = { name: string; type: string; notNull: boolean; default?: unknown; primaryKey: boolean };
type Snapshot = { tables: Record<string, { columns: Record<string, Column> }> };

/** Up to this one there was no release yet beside which the next could have run. */
const FIRST_RELEASE = 3;
/** Steps that take something away, each with the release that let go of it before (lib/server/README.md, 20). */
const letGo = new Map<string, string>();

const files = fs
  .readdirSync(migrationsFolder)
  .filter((name) => name.endsWith('.sql'))
  .sort();
const later = files.filter((name) => Number(name.slice(0, 4)) > FIRST_RELEASE);

function snapshot(number: number): Snapshot {
  const name = `${String(number).padStart(4, '0')}_snapshot.json`;
  return JSON.parse(fs.readFileSync(path.join(migrationsFolder, 'meta', name), 'utf8')) as Snapshot;
}

/** What a migration may do while code of the last release runs on its tables. */
const additive = [
  /^CREATE TABLE "/,
  /^CREATE (UNIQUE )?INDEX "/,
  /^ALTER TABLE "\w+" ADD COLUMN "\w+" (?:(?!.*NOT NULL).*|.* DEFAULT .* NOT NULL);?$/,
  /^ALTER TABLE "(\w+)" ADD CONSTRAINT "\1_\w+_fk" FOREIGN KEY/,
  /^DROP INDEX "/,
  // What tells of a change takes nothing away, and tells of older code's changes too.
  /^CREATE FUNCTION "mendara_\w+"\(\) RETURNS trigger /,
  /^CREATE TRIGGER "\w+" AFTER (UPDATE|DELETE) /,
  // Rows are filled in, none is taken away.
  /^UPDATE "?\w+"? SET /i,
];

describe('a migration', () => {
  it.each(later)('%s only adds', (name) => {
    const text = fs.readFileSync(path.join(migrationsFolder, name), 'utf8');
    const statements = text
      .split('--> statement-breakpoint')
      .map((statement) => statement.replace(/^\s*--.*$/gm, '').trim())
      .filter(Boolean);
    const taking = statements.filter((statement) => !additive.some((shape) => shape.test(statement)));
    if (!letGo.has(name)) expect(taking).toEqual([]);
  });

  it('leaves every column of the release before, and gives each new one a value that older code need not know', () => {
    for (let number = FIRST_RELEASE + 1; number < files.length; number += 1) {
      const [before, after] = [snapshot(number - 1), snapshot(number)];
      for (const [table, { columns }] of Object.entries(before.tables)) {
        const now = after.tables[table]?.columns;
        expect(now, `${table} is gone in ${number}`).toBeTruthy();
        for (const [name, column] of Object.entries(columns)) {
          expect(now?.[name]?.type, `${table}.${name} in ${number}`).toBe(column.type);
          if (!column.notNull) expect(now?.[name]?.notNull, `${table}.${name} in ${number}`).toBe(false);
        }
        for (const [name, column] of Object.entries(now ?? {})) {
          if (columns[name]) continue;
          const mayBeLeftOut = !column.notNull || column.default !== undefined;
          expect(mayBeLeftOut, `${table}.${name} of ${number} needs a value that older code does not give`).toBe(true);
        }
      }
    }
  });

  it('is told apart from one that takes away', () => {
    const refused = [
      'ALTER TABLE "users" DROP COLUMN "email";',
      'ALTER TABLE "users" ADD COLUMN "age" integer NOT NULL;',
      'ALTER TABLE "users" RENAME COLUMN "email" TO "mail";',
      'ALTER TABLE "users" ALTER COLUMN "address" SET NOT NULL;',
      'DROP TABLE "users";',
      'ALTER TABLE "users" ADD CONSTRAINT "users_country_unique" UNIQUE("country");',
    ];
    for (const statement of refused)
      expect(
        additive.some((shape) => shape.test(statement)),
        statement,
      ).toBe(false);
  });
});

/**
 * A table that is asked by names out of a file. It has its own rows alone: a name such as `constructor`, which every plain object answers to,
 * is as unknown as any other.
 */
export function byName<Row>(rows: Readonly<Record<string, Row>>): Record<string, Row> {
  const table: Record<string, Row> = Object.create(null);
  return Object.assign(table, rows);
}

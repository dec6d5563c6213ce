import 'server-only';
import { sql } from 'drizzle-orm';
import type { RepairReport } from '../../contract/repair';
import type { Transaction } from '../db/database';
import { repairCounts } from '../db/schema';

/** Counts how a repair ended, in the transaction that ends it, so that each counts once however often it was tried. */
export async function countVerdict(tx: Transaction, report: RepairReport): Promise<void> {
  await tx
    .insert(repairCounts)
    .values({ format: report.format ?? 'unknown', verdict: report.verdict, repairs: 1 })
    .onConflictDoUpdate({
      target: [repairCounts.format, repairCounts.verdict],
      set: { repairs: sql`${repairCounts.repairs} + 1` },
    });
}

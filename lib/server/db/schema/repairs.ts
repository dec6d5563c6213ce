import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { RepairReport, TaskStatus } from '../../../contract/repair';
import type { ToolType } from '../../../contract/tool-types';
import { instant } from './columns';

/**
 * Online repairs. The task id is the key to the file and is therefore not kept: `id` is its SHA-256.
 * After deletion only a tombstone stays (`fileName` empty, no report), so that the page can say that it is gone.
 */
export const repairTasks = pgTable(
  'repair_tasks',
  {
    id: text().primaryKey(),
    type: integer().$type<ToolType>().notNull(),
    fileName: text().notNull(),
    fileSize: bigint({ mode: 'number' }).notNull(),
    status: text().$type<TaskStatus>().notNull(),
    /** Network of the caller, hashed. */
    client: text().notNull(),
    /** The visitor, as the cookie for the share of the queue names them, hashed; empty for callers without it. */
    visitor: text().notNull().default(''),
    /** The task of a working video from the same camera, uploaded to help this one. */
    sampleId: text(),
    report: jsonb().$type<RepairReport>(),
    /** True for an upload in pieces (tus), whose beginnings lie in the store before it is whole. */
    resumable: boolean().notNull().default(false),
    /** Name of the result in the store, keyed by job and attempt; null until one is published. */
    resultFile: text(),
    resultSize: bigint({ mode: 'number' }),
    createdAt: instant().notNull(),
    /** While somebody sends the file: until when nobody else may. */
    uploadLeaseUntil: instant(),
    uploadedAt: instant(),
    queuedAt: instant(),
    startedAt: instant(),
    finishedAt: instant(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index().on(table.status, table.expiresAt),
    index().on(table.client),
    index().on(table.visitor),
    index().on(table.finishedAt),
    index().on(table.status, table.queuedAt),
    // The room that is taken is summed up for each upload: from this alone.
    index()
      .on(table.status, table.fileSize, table.resultSize, table.uploadedAt)
      .where(sql`${table.status} <> 'deleted'`),
  ],
);

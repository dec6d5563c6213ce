/** One mail of `GET /outbox`, newest first; `createdAt` is ISO 8601 in UTC. Development only. */
export type OutboxMail = { id: string; to: string; subject: string; text: string; createdAt: string };

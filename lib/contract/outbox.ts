/** One line of `GET /outbox`, newest first; `createdAt` is ISO 8601 in UTC. Development only. */
export type OutboxRow = { id: string; to: string; subject: string; createdAt: string };

/** `obj` of `GET /outbox/{id}`. */
export type OutboxMail = OutboxRow & { text: string; html: string };

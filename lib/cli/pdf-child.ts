import { parentPort } from 'node:worker_threads';
import { answerRequest, type ReadRequest } from '../repair/document/pdf/apart';

/**
 * The thread in which a reader looks at a PDF. Answers each `{ id, request }` with `{ id, answer }`; an answer of null says that the
 * reader did not come to an end in its time.
 */
parentPort?.on('message', async ({ id, request }: { id: number; request: ReadRequest }) => {
  const answer = await answerRequest(request).catch(() => null);
  parentPort?.postMessage({ id, answer });
});

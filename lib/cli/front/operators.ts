import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as z from 'zod/mini';
import { logError } from '../../server/base/log';
import type { Outcome } from '../../server/base/refusal';
import { refuse } from '../../server/base/refusal';
import { traced } from '../../server/base/trace';

/** Longest request: a command has a few words. */
const MAX_BYTES = 16 * 1024;

const requestSchema = z.object({
  actor: z.string().check(z.maxLength(200)),
  words: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(10)),
});
const doorSchema = z.object({ port: z.number(), key: z.string() });

/** What an operator asks for: who, by the account on the machine, and the words of the command line. */
type OperatorRequest = Readonly<{ actor: string; words: readonly string[] }>;

function fileOf(dataDir: string): string {
  return path.join(dataDir, 'operators.json');
}

/**
 * The door for the command line, as no other process may write to the embedded database: a port of the loopback that the system
 * chooses, and a key, both in a file of `DATA_DIR` that the server's own account alone can read. Nothing of it is reachable by the
 * site's port, and a page of a browser does not know the key.
 */
export async function openForOperators(
  dataDir: string,
  work: (request: OperatorRequest) => Promise<Outcome<unknown>>,
): Promise<Server> {
  const key = randomBytes(32).toString('base64url');
  const isKey = (sent: string) => sent.length === key.length && timingSafeEqual(Buffer.from(sent), Buffer.from(key));
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
    if (!isKey(String(request.headers.authorization ?? ''))) return void answer(403, refuse('forbidden'));
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const read = z.safeParse(requestSchema, parse(Buffer.concat(chunks).toString('utf8')));
      if (!read.success) return void answer(400, refuse('invalidRequest'));
      traced({ requestId: `operator-${randomBytes(6).toString('hex')}` }, () => work(read.data)).then(
        (outcome) => answer(200, outcome),
        (error: unknown) => {
          logError('operator', 'What an operator asked for failed.', error);
          answer(500, refuse('internal'));
        },
      );
    });
  });
  server.headersTimeout = 5000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  // Written aside and renamed, so that nobody reads half of it.
  const draft = `${fileOf(dataDir)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ port, key }), { mode: 0o600 });
  renameSync(draft, fileOf(dataDir));
  server.once('close', () => rmSync(fileOf(dataDir), { force: true }));
  return server;
}

/** Asks the running server; null when none runs on this folder. */
export async function askServer(dataDir: string, request: OperatorRequest): Promise<Outcome<unknown> | null> {
  const door = readDoor(dataDir);
  if (!door) return null;
  let response: Response;
  try {
    response = await fetch(`http://127.0.0.1:${door.port}/`, {
      method: 'POST',
      headers: { authorization: door.key },
      body: JSON.stringify(request),
    });
  } catch (error) {
    // Left by a server that was killed; only one that nobody listens behind, or that speaks something else, is passed over.
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ECONNREFUSED' || cause?.code?.startsWith('HPE_')) return null;
    throw error;
  }
  // Another program that has the port of a killed server by now knows no key and has no outcome to tell: we take nothing from it.
  const said = parse(await response.text());
  const isOutcome = typeof said === 'object' && said !== null && 'ok' in said && typeof said.ok === 'boolean';
  return response.status !== 403 && isOutcome ? (said as Outcome<unknown>) : null;
}

function readDoor(dataDir: string): z.infer<typeof doorSchema> | null {
  try {
    const read = z.safeParse(doorSchema, parse(readFileSync(fileOf(dataDir), 'utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
